package cli

import (
	"io"

	"github.com/hashicorp/go-hclog"

	"github.com/sagasu-search/sagasu/framework/internal/host"
	"github.com/sagasu-search/sagasu/framework/internal/index"
	"github.com/sagasu-search/sagasu/framework/internal/module"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
)

// env is what products are opened with. Progress goes to watch; nil means to the server's
// clients.
func (a *app) env(logger hclog.Logger, watch io.Writer) *module.Env {
	return &module.Env{
		Workspace: a.workspace, Dictionary: a.dict, Strategies: a.host, Entries: a.entriesOf, Bundled: serveBundled,
		Recorder: a.recorder, Logger: logger, Live: a.serving,
		Progress: func(work string) (report func(index.Progress), done func()) {
			if watch != nil {
				return indexProgress(watch)
			}
			return func(p index.Progress) { a.tools.Announce(p.Done, p.Total, work+": "+string(p.Phase)) }, func() {}
		},
	}
}

func (a *app) entriesOf(kind snapshot.Kind) []host.Entry {
	if kind == snapshot.KindPublication {
		return a.lanes
	}
	return a.entries
}
