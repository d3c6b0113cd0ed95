package app

import (
	"github.com/hashicorp/go-hclog"

	"github.com/sagasu-search/sagasu/framework/internal/search"
	"github.com/sagasu-search/sagasu/framework/internal/search/adapt"
	"github.com/sagasu-search/sagasu/framework/internal/workspace"
)

// openRecorder keeps statistics of the server's searches. Without them, which is
// said in the log, it searches all the same.
func openRecorder(w *workspace.Workspace, logger hclog.Logger) *adapt.Recorder {
	log, _, err := OpenStatistics(w)
	if err != nil {
		logger.Warn("no statistics are kept", "error", err)
		return nil
	}
	searches, options := workspace.Of[search.Settings](w), *workspace.Of[adapt.Options](w)
	options.Log, options.TTL, options.Logger = log, w.TraceTTL(), logger
	options.Policy.Base = adapt.Thresholds{CandidateLow: searches.CandidateLow, FileBias: searches.FileBias}
	return adapt.NewRecorder(options)
}
