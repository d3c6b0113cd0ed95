package doctor

import (
	"fmt"
	"time"

	"github.com/sagasu-search/sagasu/framework/internal/index"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
)

// Made says which snapshot of an index is the newest and when it was made.
func Made(s index.State) string { return s.Snapshot + " of " + s.Created.Local().Format(time.DateTime) }

// Size returns the space of an index on disk in megabytes.
func Size(s index.State) string { return fmt.Sprintf("%.1f MB", float64(s.DiskBytes)/1e6) }

// IndexTexts are what a report says of an index in each state.
type IndexTexts struct {
	Name     string // such as "the index"
	Empty    Hint   // the files hold nothing to search
	Missing  Hint
	Building Hint   // the number of files to come is added
	Changed  string // files changed since
}

// Index adds a hint on the state of an index, or on the error of asking for it.
func (r *Report) Index(s index.State, err error, texts IndexTexts) {
	switch {
	case err != nil:
		r.Fail(texts.Name+" cannot be examined: "+toolset.AsError(err).Error(), "")
	case s.Damage != "":
		r.Fail(texts.Name+" is damaged: "+s.Damage, "run sagasu index; the next search would do the same")
	case s.Snapshot == "" && s.Pending == 0, s.Snapshot != "" && s.Fresh && s.Sections == 0:
		r.Fail(texts.Empty.What, texts.Empty.Do)
	case s.Snapshot == "":
		r.Note(texts.Missing.What, texts.Missing.Do)
	case s.Pending > 0:
		r.Note(fmt.Sprintf("%s: %s %s still to come", texts.Building.What, toolset.Counted(s.Pending, "file"),
			toolset.Are(s.Pending)), texts.Building.Do)
	case !s.Fresh:
		r.Note(texts.Changed, "there is nothing to do: the next search brings the index up to date")
	}
}
