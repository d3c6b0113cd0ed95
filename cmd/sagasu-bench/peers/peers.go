package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"time"
)

// section is a unit of text to find. The caller cuts texts in the same way for all engines.
type section struct {
	ID   int    `json:"id"`
	Text string `json:"text"`
}

type request struct {
	Op       string    `json:"op"`
	Engine   string    `json:"engine"`
	Dir      string    `json:"dir"`
	Language string    `json:"language"` // ja or en
	Sections []section `json:"sections"`
	Text     string    `json:"text"`
	K        int       `json:"k"`
}

type reply struct {
	Error   string  `json:"error,omitempty"`
	Engines []about `json:"engines,omitempty"`
	NS      int64   `json:"ns,omitempty"`
	Bytes   int64   `json:"bytes,omitempty"` // of the index on disk
	IDs     []int   `json:"ids,omitempty"`   // best first
}

type about struct {
	Name  string `json:"name"`
	About string `json:"about"`
}

// engine is a search library.
type engine interface {
	// build writes an index of sections to dir, which is empty, and closes it.
	build(dir, language string, sections []section) error
	open(dir, language string) error
	// search returns the ids of the best k sections, best first.
	search(text string, k int) ([]int, error)
	close() error
}

type peers struct {
	engines  map[string]engine
	sections []section
}

func newPeers() *peers {
	return &peers{engines: map[string]engine{"bleve": &bleveEngine{}, "sqlite": &sqliteEngine{}}}
}

func (p *peers) answer(line []byte) reply {
	var q request
	if err := json.Unmarshal(line, &q); err != nil {
		return reply{Error: fmt.Sprintf("not a request: %v", err)}
	}
	r, err := p.do(&q)
	if err != nil {
		r.Error = fmt.Sprintf("%s: %v", q.Op, err)
	}
	return r
}

func (p *peers) do(q *request) (r reply, err error) {
	switch q.Op {
	case "hello":
		return reply{Engines: []about{{"bleve", aboutBleve}, {"sqlite", aboutSQLite}}}, nil
	case "load":
		p.sections = append(p.sections, q.Sections...)
		return r, nil
	}
	e := p.engines[q.Engine]
	if e == nil {
		return r, fmt.Errorf("there is no engine %q", q.Engine)
	}
	begin := time.Now()
	switch q.Op {
	case "build":
		runtime.GC() // collect the garbage of the last build before measuring this one
		begin = time.Now()
		err = e.build(q.Dir, q.Language, p.sections)
	case "open":
		err = e.open(q.Dir, q.Language)
	case "query":
		r.IDs, err = e.search(q.Text, q.K)
	case "close":
		err = e.close()
	default:
		return r, errors.New("there is no such operation")
	}
	r.NS = int64(time.Since(begin))
	if q.Op == "build" && err == nil {
		r.Bytes, err = size(q.Dir)
	}
	return r, err
}

func (p *peers) close() error {
	var errs []error
	for _, e := range p.engines {
		errs = append(errs, e.close())
	}
	return errors.Join(errs...)
}

// size returns the total size of the files below dir.
func size(dir string) (total int64, err error) {
	err = filepath.WalkDir(dir, func(_ string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		if errors.Is(err, os.ErrNotExist) {
			return nil
		}
		if err == nil {
			total += info.Size()
		}
		return err
	})
	return total, err
}
