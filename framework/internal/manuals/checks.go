package manuals

import (
	"context"
	"fmt"
	"slices"

	"github.com/sagasu-search/sagasu/framework/internal/corpus"
	"github.com/sagasu-search/sagasu/framework/internal/doctor"
	"github.com/sagasu-search/sagasu/framework/internal/index"
	"github.com/sagasu-search/sagasu/framework/internal/module"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
	"github.com/sagasu-search/sagasu/framework/internal/workspace"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
)

// listed is a manual as listed in the report.
type listed struct {
	ID  string `json:"id"`
	Dir string `json:"dir"`
}

var indexTexts = doctor.IndexTexts{
	Name: "the index",
	Empty: doctor.Hint{
		What: "the manuals hold nothing to search",
		Do:   "put Markdown, JSON, text or documents into them, or run sagasu import docs",
	},
	Missing: doctor.Hint{
		What: "there is no index yet", Do: "the first search builds it, and so does sagasu index",
	},
	Building: doctor.Hint{
		What: "a first index is under way", Do: "nothing to do: searches use what is there and say so",
	},
	Changed: "files changed since they were indexed",
}

// check reports the manuals and their index. A workspace without anything to search is broken.
func check(ctx context.Context, env *module.Env, r *doctor.Report) error {
	if env.Gatherer != "" {
		checkCollection(ctx, env, r)
		return nil
	}
	found, err := env.Workspace.Manuals(ctx)
	list := []listed{}
	table := doctor.Table{Title: "manuals", Header: []string{"ID", "FOLDER"}}
	for _, m := range found {
		list = append(list, listed{m.ID, m.Dir})
		table.Row(m.ID, m.Dir)
	}
	r.Add("manuals", list, table)
	settings := workspace.Of[Settings](env.Workspace)
	isDefault := func(m corpus.Manual) bool { return m.ID == settings.DefaultID }
	switch {
	case err != nil:
		r.Fail(toolset.AsError(err).Message, "")
	case len(found) == 0:
		r.Lack(env.Workspace.Lack(ctx, false))
	case settings.DefaultID != "" && !slices.ContainsFunc(found, isDefault):
		r.Fail(fmt.Sprintf("DEFAULT_MANUAL_ID is %q, and there is no such manual", settings.DefaultID),
			"correct it where it was set: "+env.Workspace.Origin("DEFAULT_MANUAL_ID"))
	}

	x, err := index.Open(index.Options{
		Dir: indexDir(env.Workspace), Source: source(env.Workspace), Manuals: env.Workspace.Manuals,
		Aside: env.Workspace.Aside, Logger: env.Logger,
	})
	if err != nil {
		return err
	}
	defer x.Close()
	state, err := x.State(ctx)
	if len(found) > 0 {
		r.Index(state, err, indexTexts)
	}
	r.Try(state)
	if state.Snapshot != "" && env.Dictionary != nil && len(env.Dictionary.Bilingual) == 0 && inTwoLanguages(state) {
		r.Note("the manuals are in Japanese and English, and no dictionary translates: a query in one language finds "+
			"text in the other by shared words, sounds and synonyms only",
			"sagasu dict import edict /usr/share/edict/edict, from the package edict of Debian and Ubuntu")
	}
	table = doctor.Table{Title: "index"}
	table.Row("folder", state.Dir)
	if state.Snapshot != "" {
		table.Row("snapshot", doctor.Made(state))
		table.Row("holds", fmt.Sprintf("%d sections of %d files, %s", state.Sections, state.Files, doctor.Size(state)))
		table.Row("up to date", doctor.Yes(state.Fresh))
	}
	r.Add("index", state, table)
	r.Skip(state.Skipped, "")
	return nil
}

// inTwoLanguages reports whether a tenth or more of the sections of an index are in Japanese, and as many in English.
func inTwoLanguages(s index.State) (both bool) {
	snap, err := snapshot.Open(s.Dir, s.Snapshot, false)
	if err != nil {
		return false // the report says more about it elsewhere
	}
	defer snap.Close()
	err = snap.Guard(func() error {
		many := func(word string) bool { return 10*snap.DocFreq(word) >= snap.Population() }
		both = snap.Population() > 0 && many("の") && many("the")
		return nil
	})
	return both && err == nil
}
