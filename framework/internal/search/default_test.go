package search

import (
	"strings"
	"testing"

	"github.com/sagasu-search/sagasu/framework/internal/toolset"
)

// A wrong manual in the configuration is not the caller's mistake.
func TestFindNamesTheSettingOfAWrongDefault(t *testing.T) {
	e := engine(t, manyRows(30), fakes{list: []words{exact}})
	e.DefaultManual = "nowhere"
	_, err := find(t, e, request("disk"))
	bad := toolset.AsError(err)
	if bad.Code != toolset.NotFound || bad.Details["parameter"] != "DEFAULT_MANUAL_ID" || !strings.Contains(bad.Message, "DEFAULT_MANUAL_ID") {
		t.Errorf("%v %v", err, bad.Details)
	}
	req := request("disk")
	req.ManualID = "nowhere"
	_, err = find(t, e, req)
	if bad := toolset.AsError(err); bad.Details["parameter"] != "manual_id" || strings.Contains(bad.Message, "DEFAULT_MANUAL_ID") {
		t.Errorf("%v %v", err, bad.Details)
	}
	req.ManualID = "m1"
	if _, err := find(t, e, req); err != nil {
		t.Error(err)
	}
}
