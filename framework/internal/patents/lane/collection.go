package lane

import (
	"context"
	"errors"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/sagasu-search/sagasu/framework/internal/index"
	"github.com/sagasu-search/sagasu/framework/internal/patents/publication"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
	"github.com/sagasu-search/sagasu/sdk/x/guard"
)

// Publications is a collection as an engine reads it. Its content is fixed as long
// as its fingerprint is.
type Publications interface {
	// Fingerprint names the content.
	Fingerprint(ctx context.Context) (string, error)
	// Read returns the records of ids, in their order; nil for an unknown id.
	// Only the named texts need be filled; everything else is.
	Read(ctx context.Context, ids []string, texts ...string) ([]*publication.Publication, error)
	// Texts calls do with the named texts of each of ids, by its place, from several goroutines at once. The texts are
	// only to be read in the call; there are none of an unknown id.
	Texts(ctx context.Context, ids, names []string, do func(i int, texts []string)) error
	// Find returns the publication that has an id of another type: app_doc_id,
	// app_id or exam_id, or pub_id in another writing; "" for an unknown id.
	Find(ctx context.Context, idType, id string) (pubID string, err error)
	// Having returns the publications that have all of some keywords, in the order of the collection.
	Having(ctx context.Context, keywords ...string) (pubIDs []string, err error)
}

// View returns the newest snapshot of a collection. The caller releases it.
type View func(ctx context.Context) (index.View, error)

// Collection reads the publications of an index. Safe for concurrent use.
type Collection struct {
	view View

	mu    sync.Mutex
	name  string            // of the snapshot that found are sections of
	found map[string]uint32 // sections that lanes found, by pub_id
}

var _ Publications = (*Collection)(nil)

// NewCollection reads the snapshots of view.
func NewCollection(view View) *Collection { return &Collection{view: view} }

// with calls do with the newest snapshot.
func (c *Collection) with(ctx context.Context, do func(*snapshot.Snapshot) error) error {
	v, err := c.view(ctx)
	if err != nil {
		return err
	}
	defer v.Release()
	return v.Snapshot.Guard(func() error { return do(v.Snapshot) })
}

// Fingerprint implements [Publications].
func (c *Collection) Fingerprint(ctx context.Context) (print string, err error) {
	err = c.with(ctx, func(s *snapshot.Snapshot) error { print = s.Fingerprint(); return nil })
	return print, err
}

// Read implements [Publications].
func (c *Collection) Read(ctx context.Context, ids []string, texts ...string) ([]*publication.Publication, error) {
	out := make([]*publication.Publication, len(ids))
	return out, c.with(ctx, func(s *snapshot.Snapshot) error {
		for i, id := range ids {
			if err := ctx.Err(); err != nil {
				return err
			}
			section, ok := c.section(s, id)
			if !ok {
				continue
			}
			var err error
			if out[i], err = publication.Stored(s, section, texts...); err != nil {
				return err
			}
		}
		return nil
	})
}

// textsAtOnce are the publications that a goroutine takes at once.
const textsAtOnce = 64

// Texts implements [Publications].
func (c *Collection) Texts(ctx context.Context, ids, names []string, do func(i int, texts []string)) error {
	return c.with(ctx, func(s *snapshot.Snapshot) error {
		fields := make([]int, len(names))
		for i, name := range names {
			fields[i] = slices.Index(s.Fields(), name)
		}
		var next atomic.Int64
		read := func() error {
			for {
				to := int(next.Add(textsAtOnce))
				if from := to - textsAtOnce; from >= len(ids) || ctx.Err() != nil {
					return ctx.Err()
				}
				for i := to - textsAtOnce; i < min(to, len(ids)); i++ {
					do(i, c.texts(s, ids[i], fields))
				}
			}
		}
		workers := min(runtime.GOMAXPROCS(0), len(ids)/textsAtOnce+1)
		return errors.Join(guard.Each(workers, func(int) error { return s.Guard(read) })...)
	})
}

func (c *Collection) texts(s *snapshot.Snapshot, id string, fields []int) (texts []string) {
	section, ok := c.section(s, id)
	for i := 0; ok && i < len(fields); i++ {
		texts = append(texts, s.Source(section, fields[i]))
	}
	return texts
}

// Find implements [Publications].
func (c *Collection) Find(ctx context.Context, idType, id string) (pubID string, err error) {
	keys, bad := publication.LookupKeys(idType, id)
	if bad != nil {
		return "", bad
	}
	return pubID, c.with(ctx, func(s *snapshot.Snapshot) error {
		if section, ok := publication.Find(s, keys); ok {
			pubID = pubIDOf(s, section)
		}
		return nil
	})
}

// Having implements [Publications].
func (c *Collection) Having(ctx context.Context, keywords ...string) (pubIDs []string, err error) {
	return pubIDs, c.with(ctx, func(s *snapshot.Snapshot) error {
		all := s.Live().Clone()
		for _, keyword := range keywords {
			all.And(s.Keyword(keyword))
		}
		for it := all.Iterator(); it.HasNext(); {
			pubIDs = append(pubIDs, pubIDOf(s, it.Next()))
		}
		return nil
	})
}

// pubIDOf returns the number of a section's publication as its record writes it.
func pubIDOf(s *snapshot.Snapshot, section uint32) string {
	sec, _ := s.Section(section)
	return strings.Clone(sec.Title)
}

// maxFound is the maximum number of sections that are remembered by their pub_id.
const maxFound = 500_000

// remember keeps the sections of publications that a lane found.
func (c *Collection) remember(s *snapshot.Snapshot, ids []string, sections []uint32) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.name != s.Name() || len(c.found) > maxFound {
		c.name, c.found = s.Name(), make(map[string]uint32, len(ids))
	}
	for i, id := range ids {
		c.found[id] = sections[i]
	}
}

// section finds a publication by a writing of its pub_id.
func (c *Collection) section(s *snapshot.Snapshot, id string) (uint32, bool) {
	c.mu.Lock()
	section, ok := c.found[id]
	ok = ok && c.name == s.Name()
	c.mu.Unlock()
	if ok {
		return section, true
	}
	keys, bad := publication.LookupKeys("pub_id", id)
	if bad != nil {
		return 0, false
	}
	return publication.Find(s, keys)
}
