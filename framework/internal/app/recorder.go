package app

import (
	"github.com/hashicorp/go-hclog"

	"github.com/sagasu-search/sagasu/framework/internal/search/adapt"
	"github.com/sagasu-search/sagasu/framework/internal/workspace"
)

// openRecorder keeps statistics of the server's searches. Without them, which is
// said in the log, it searches all the same.
func openRecorder(w *workspace.Workspace, logger hclog.Logger) *adapt.Recorder {
	log, err := adapt.OpenLog(w.StatsFile())
	if err != nil {
		logger.Warn("no statistics are kept", "error", err)
		return nil
	}
	return adapt.NewRecorder(adapt.Options{
		Log: log, Tuning: w.AdaptiveTuning, TTL: w.TraceTTL(), Logger: logger,
		Policy: adapt.Policy{
			Base:      adapt.Thresholds{CandidateLow: w.AdaptiveCandidateLowBase, FileBias: w.AdaptiveFileBiasBase},
			MinRecall: w.AdaptiveMinRecall,
		},
	})
}
