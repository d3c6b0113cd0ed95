package patents

import (
	"context"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"slices"
	"strconv"

	"github.com/sagasu-search/sagasu/framework/internal/doctor"
	"github.com/sagasu-search/sagasu/framework/internal/index"
	"github.com/sagasu-search/sagasu/framework/internal/module"
	"github.com/sagasu-search/sagasu/framework/internal/patents/gazette"
	"github.com/sagasu-search/sagasu/framework/internal/patents/publication"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
	"github.com/sagasu-search/sagasu/framework/internal/workspace"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
)

// collection is the state of the publications and what they are.
type collection struct {
	index.State
	Publications int            `json:"publications"`
	Countries    map[string]int `json:"countries"`   // publications by country
	Codes        map[string]int `json:"codes"`       // distinct codes by kind
	FirstYear    string         `json:"first_year"`  // of publication, "" when none is known
	LatestYear   string         `json:"latest_year"` // of publication
	// Refused are the first records that did not become publications, when a file was
	// indexed or imported; Source is the file that they stand in.
	Refused      []publication.Refused `json:"refused"`
	RefusedCount int                   `json:"refused_count"`
}

// check reports the collection without indexing it, and starts its lanes.
func check(ctx context.Context, env *module.Env, r *doctor.Report) error {
	w := env.Workspace
	if !exists(w) {
		return nil
	}
	m, err := Open(ctx, env)
	if err != nil {
		return err
	}
	defer m.Close()
	x, err := m.index.Open()
	if err != nil {
		return err
	}
	state, err := x.State(ctx)
	r.Index(state, err, doctor.IndexTexts{
		Name:  "the index of the publications",
		Empty: doctor.Hint{What: hint(w)},
		Missing: doctor.Hint{
			What: "the publications are not indexed yet", Do: "the first search does it, and so does sagasu index",
		},
		Building: doctor.Hint{What: "the publications are being indexed", Do: "nothing to do: searches say so"},
		Changed:  "publications changed since they were indexed",
	})
	c := &collection{
		State: state, Publications: state.Sections, Countries: map[string]int{}, Codes: map[string]int{},
		Refused: []publication.Refused{},
	}
	c.describe()
	c.reportRefused(ctx, w, r, state.Refused)
	r.Add("publications", c, c.tables()...)
	r.Skipped = append(r.Skipped, state.Skipped...)
	_, failures := m.lanes.Start(ctx)
	for _, f := range failures {
		r.Fail(f.Error(), "the other lanes still answer; --log-level debug says more")
	}
	r.Strategies = append(r.Strategies, m.lanes.Status()...)
	return nil
}

// tables show the collection.
func (c *collection) tables() []doctor.Table {
	about, refused := doctor.Table{Title: "publications"}, doctor.Table{
		Title: "refused records", Header: []string{"WHERE", "NUMBER", "WHY"},
	}
	about.Row("folder of the index", c.Dir)
	if c.Snapshot == "" {
		return []doctor.Table{about}
	}
	about.Row("snapshot", doctor.Made(c.State))
	about.Row("holds", fmt.Sprintf("%s of %s, %s", toolset.Counted(c.Publications, "publication"),
		toolset.Counted(c.Files, "file"), doctor.Size(c.State)))
	about.Row("published", c.FirstYear+" to "+c.LatestYear)
	for _, country := range slices.Sorted(maps.Keys(c.Countries)) {
		about.Row("country "+country, strconv.Itoa(c.Countries[country]))
	}
	for _, kind := range slices.Sorted(maps.Keys(c.Codes)) {
		about.Row("distinct "+kind+" codes", strconv.Itoa(c.Codes[kind]))
	}
	about.Row("up to date", doctor.Yes(c.Fresh))
	for _, x := range c.Refused {
		refused.Row(fmt.Sprintf("%s:%d", strconv.Quote(x.Source), x.Line), x.ID, x.Reason)
	}
	return []doctor.Table{about, refused}
}

// describe counts what the keywords of the snapshot tell.
func (c *collection) describe() {
	if c.Snapshot == "" {
		return
	}
	snap, err := snapshot.Open(c.Dir, c.Snapshot, false)
	if err != nil {
		return // the report tells of damage
	}
	defer snap.Close() // read only
	for key, n := range snap.Keywords("country:") {
		c.Countries[key[len("country:"):]] = n
	}
	for _, kind := range []string{"fi", "ft", "ipc", "cpc"} {
		for range snap.Keywords(kind + ":") {
			c.Codes[kind]++
		}
	}
	for key := range snap.Keywords("date:") {
		if year := key[len("date:"):]; len(year) == len("2006") {
			if c.FirstYear == "" {
				c.FirstYear = year
			}
			c.LatestYear = year
		}
	}
}

// maxRefused is how many refused records are listed.
const maxRefused = 50

// reportRefused lists the records that did not become publications: of each file the first that
// indexing refused, and those that imports refused.
func (c *collection) reportRefused(
	ctx context.Context, w *workspace.Workspace, r *doctor.Report, indexed []index.Refusal,
) {
	for _, f := range indexed {
		c.refuse(f.Count, f.First)
	}
	if c.RefusedCount > 0 {
		r.Note(fmt.Sprintf("%s of the publications %s not searched", toolset.Counted(c.RefusedCount, "record"),
			toolset.Are(c.RefusedCount)),
			"the list of refused records names the first of each file")
	}
	before := c.RefusedCount
	if err := c.imports(ctx, w); err != nil {
		r.Note("what imports refused cannot be read: "+toolset.AsError(err).Error(),
			"remove the file if it is none of sagasu import")
	}
	if n := c.RefusedCount - before; n > 0 {
		r.Note("imports refused "+toolset.Counted(n, "record"),
			"correct and import them, or remove the "+gazette.RefusedExt+" file beside the collection's")
	}
}

// refuse counts n records, the first of which are listed.
func (c *collection) refuse(n int, first ...publication.Refused) {
	c.RefusedCount += n
	c.Refused = append(c.Refused, first[:min(len(first), max(0, maxRefused-len(c.Refused)))]...)
}

// imports reads the lists that imports left beside the files of the collection.
func (c *collection) imports(ctx context.Context, w *workspace.Workspace) error {
	folders, err := files(ctx, w)
	if err != nil {
		return err
	}
	for _, m := range folders {
		root, err := os.OpenRoot(m.Dir)
		if err != nil {
			return err
		}
		defer root.Close()
		err = fs.WalkDir(root.FS(), ".", func(path string, e fs.DirEntry, err error) error {
			if err != nil || e.IsDir() || !publication.IsJSONLines(path) || m.Only != "" && path != m.Only {
				return err
			}
			first, n, err := gazette.ReadRefused(root, path, maxRefused)
			c.refuse(n, first...)
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}
