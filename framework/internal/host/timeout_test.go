package host

import (
	"testing"
	"time"

	"github.com/sagasu-search/sagasu/sdk"
)

// A judge may wait for a model, a gatherer for an engine; the others, and one not known yet, get the usual time.
func TestSomeStagesGetTheirOwnTime(t *testing.T) {
	h := &Host{options: Options{CallTimeout: time.Second, JudgeTimeout: time.Minute, GatherTimeout: time.Hour}}
	for _, tc := range []struct {
		described *sdk.Description
		want      time.Duration
	}{
		{nil, time.Second},
		{&sdk.Description{Stage: sdk.StageRerank}, time.Second},
		{&sdk.Description{Stage: sdk.StageJudge}, time.Minute},
		{&sdk.Description{Stage: sdk.StageGather}, time.Hour},
	} {
		s := &supervisor{host: h, described: tc.described}
		if got := s.callTimeout(); got != tc.want {
			t.Errorf("%+v: %v", tc.described, got)
		}
	}
}
