package page

import (
	"github.com/sagasu-search/sagasu/framework/internal/doctor"
)

// state shows what sagasu doctor finds.
func (q *request) state() error {
	if q.Examine == nil {
		return q.missing()
	}
	var report *doctor.Report
	err := q.alone(q.r.Context(), func() (err error) {
		report, err = q.Examine(q.r.Context())
		return err
	})
	if err != nil {
		return err
	}
	return q.show("state", q.name("state"), report)
}
