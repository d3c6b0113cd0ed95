package bench

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"time"

	"github.com/sagasu-search/sagasu/framework/internal/corpus"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
)

// buildBar is how many times faster than Bleve's an index must be built.
const buildBar = 5

// bleve is the engine that bars refer to.
const bleve = "bleve"

// builds are the results of building one index repeatedly.
type builds struct {
	times times
	bytes int64 // on disk
}

func (b *builds) add(took time.Duration, bytes int64) {
	b.times, b.bytes = append(b.times, took), bytes
}

// index cuts the manuals into sections, builds an index of the same sections with each library in turn, and opens them.
func (r *run) index() error {
	files, err := Read(r.ctx, r.Manuals)
	if err != nil {
		return err
	}
	began := time.Now()
	sections := cut(files)
	r.parsing = time.Since(began)
	texts, bytes := r.number(files, sections)
	if len(texts) == 0 {
		return errors.New("there is nothing to measure: the manuals hold no section")
	}
	language := languageOf(texts)
	r.report.Data = fmt.Sprintf("%d manuals, %d files, %.1f MB, %d sections (%s); %d judged queries", len(r.Manuals),
		len(files), float64(bytes)/1e6, len(texts), language, len(r.Queries))
	if r.peer != nil {
		if err := r.peer.load(texts); err != nil {
			return err
		}
	}
	own, err := r.build(files, sections, language)
	if err != nil {
		return err
	}
	for _, e := range r.engines {
		_, err := r.peer.do(peerRequest{Op: "open", Engine: e.Name, Dir: r.peerDir(e.Name), Language: language})
		if err != nil {
			return err
		}
	}
	r.snapshot, err = snapshot.Open(own.dir, own.name, true)
	return err
}

// ownIndex is the directory and the name of our index.
type ownIndex struct{ dir, name string }

// build builds the indexes, repeatedly if building is measured, and returns our last one.
func (r *run) build(files []File, sections [][]corpus.Section, language string) (own ownIndex, err error) {
	rounds := 1
	if len(r.Only) == 0 || slices.Contains(r.Only, "build") {
		rounds = r.Rounds
	}
	r.builds = make([]builds, 1+len(r.engines))
	for round := range rounds {
		r.Progress.Show("building", round, rounds)
		if own.dir, err = os.MkdirTemp(r.dir, "own-"); err != nil {
			return own, err
		}
		runtime.GC() // the garbage of the previous build is not charged to this one
		began := time.Now()
		var bytes int64
		if own.name, bytes, err = writeIndex(r.ctx, own.dir, files, sections); err != nil {
			return own, err
		}
		r.builds[0].add(time.Since(began), bytes)
		for i, e := range r.engines {
			if err := r.buildPeer(e.Name, language, &r.builds[i+1]); err != nil {
				return own, err
			}
		}
	}
	return own, nil
}

func (r *run) peerDir(engine string) string { return filepath.Join(r.dir, "peer-"+engine) }

func (r *run) buildPeer(engine, language string, b *builds) error {
	dir := r.peerDir(engine)
	if err := errors.Join(os.RemoveAll(dir), os.Mkdir(dir, 0o700)); err != nil {
		return err
	}
	reply, err := r.peer.do(peerRequest{Op: "build", Engine: engine, Dir: dir, Language: language})
	if err == nil {
		b.add(time.Duration(reply.NS), reply.Bytes)
	}
	return err
}

// reportBuilds reports the measurements of [run.index].
func (r *run) reportBuilds() error {
	p := r.report.part(fmt.Sprintf("index of %d sections that are cut already, no positions", len(r.targets)))
	p.seconds("cutting the files into sections, apart from it", r.parsing)
	for i, b := range r.builds {
		name := "sagasu: text, terms, keywords, checksums, synced"
		if i > 0 {
			name = r.engines[i-1].Name
		}
		p.seconds(name, b.times.median()).Note = fmt.Sprintf("%.1f MB on disk", float64(b.bytes)/1e6)
		if i > 0 {
			p.faster(name, r.builds[0].times, b.times, buildBar)
		}
	}
	return nil
}
