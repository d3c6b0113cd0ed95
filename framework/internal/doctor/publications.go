package doctor

import (
	"context"
	"fmt"
	"io/fs"
	"os"

	"github.com/sagasu-search/sagasu/framework/internal/host"
	"github.com/sagasu-search/sagasu/framework/internal/index"
	"github.com/sagasu-search/sagasu/framework/internal/patents/gazette"
	"github.com/sagasu-search/sagasu/framework/internal/patents/publication"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
	"github.com/sagasu-search/sagasu/framework/internal/workspace"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
)

// Collection is the state of the publications and what they are.
type Collection struct {
	Index
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

// publications looks at the collection without indexing it, and starts its lanes.
func (r *Report) publications(ctx context.Context, w *workspace.Workspace, x *index.Index, lanes *host.Host) {
	if x == nil {
		return
	}
	st, err := x.State(ctx)
	c := &Collection{
		Index: indexOf(st), Publications: st.Sections, Countries: map[string]int{}, Codes: map[string]int{},
		Refused: []publication.Refused{},
	}
	r.Publications = c
	r.Skipped = append(r.Skipped, st.Skipped...)
	switch {
	case err != nil:
		r.broken("the index of the publications cannot be examined: "+toolset.AsError(err).Error(), "")
	case st.Damage != "":
		r.broken("the index of the publications is damaged: "+st.Damage,
			"run sagasu index; the next search would do the same")
	case st.Snapshot == "" && st.Pending == 0, st.Snapshot != "" && st.Fresh && st.Sections == 0:
		r.broken(w.PublicationsHint(), "")
	case st.Snapshot == "":
		r.note("the publications are not indexed yet", "nothing: the first search does, or run sagasu index")
	case st.Pending > 0:
		r.note(fmt.Sprintf("the publications are being indexed: %d files are still to come", st.Pending),
			"nothing: searches say so")
	case !st.Fresh:
		r.note("publications changed since they were indexed", "nothing: the next search brings the index up to date")
	}
	c.describe()
	r.refused(ctx, w, c, st.Refused)
	_, failures := lanes.Start(ctx)
	for _, f := range failures {
		r.broken(f.Error(), "the other lanes still answer; --log-level debug tells more")
	}
	r.Strategies = append(r.Strategies, lanes.Status()...)
}

// describe counts what the keywords of the snapshot tell.
func (c *Collection) describe() {
	if c.Snapshot == "" {
		return
	}
	snap, err := snapshot.Open(c.Dir, c.Snapshot, false)
	if err != nil {
		return // State has told of damage
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

// refused lists the records that did not become publications: of each file the first that
// indexing refused, and those that imports refused.
func (r *Report) refused(ctx context.Context, w *workspace.Workspace, c *Collection, indexed []index.Refusal) {
	for _, f := range indexed {
		c.refuse(f.Count, f.First)
	}
	if c.RefusedCount > 0 {
		r.note(fmt.Sprintf("%d records of the publications are not searched", c.RefusedCount),
			"the list of refused records names the first of each file")
	}
	before := c.RefusedCount
	if err := c.imports(ctx, w); err != nil {
		r.note("what imports refused cannot be read: "+toolset.AsError(err).Error(),
			"remove the file if it is none of sagasu import")
	}
	if n := c.RefusedCount - before; n > 0 {
		r.note(fmt.Sprintf("imports refused %d records", n),
			"correct and import them, or remove the "+gazette.RefusedExt+" file beside the collection's")
	}
}

// refuse counts n records, the first of which are listed.
func (c *Collection) refuse(n int, first ...publication.Refused) {
	c.RefusedCount += n
	c.Refused = append(c.Refused, first[:min(len(first), max(0, maxRefused-len(c.Refused)))]...)
}

// imports reads the lists that imports left beside the files of the collection.
func (c *Collection) imports(ctx context.Context, w *workspace.Workspace) error {
	folders, err := w.Publications(ctx)
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
