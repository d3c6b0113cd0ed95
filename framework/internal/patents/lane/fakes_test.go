package lane

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"testing"
	"time"

	"github.com/sagasu-search/sagasu/framework/internal/patents/publication"
	"github.com/sagasu-search/sagasu/framework/internal/patents/rankfusion"
	"github.com/sagasu-search/sagasu/framework/internal/store"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
)

// memory is a collection in memory.
type memory struct {
	print string
	pubs  map[string]*publication.Publication
	reads int // publications read so far
	fail  error
}

func (s *memory) Fingerprint(context.Context) (string, error) { return s.print, nil }

func (s *memory) Read(ctx context.Context, ids []string, _ ...string) ([]*publication.Publication, error) {
	if err := errors.Join(ctx.Err(), s.fail); err != nil {
		return nil, err
	}
	out := make([]*publication.Publication, len(ids))
	for i, id := range ids {
		out[i] = s.pubs[id]
	}
	s.reads += len(ids)
	return out, nil
}

func (s *memory) Texts(ctx context.Context, ids, names []string, do func(i int, texts []string)) error {
	pubs, err := s.Read(ctx, ids, names...)
	for i, p := range pubs {
		var texts []string
		for j := 0; p != nil && j < len(names); j++ {
			texts = append(texts, *p.Text(names[j]))
		}
		do(i, texts)
	}
	return err
}

func (s *memory) Find(_ context.Context, idType, id string) (string, error) {
	for _, p := range s.pubs {
		if map[string]string{"pub_id": p.PubID, "app_doc_id": p.AppDocID, "app_id": p.AppID, "exam_id": p.ExamID}[idType] == id {
			return p.PubID, s.fail
		}
	}
	return "", s.fail
}

func (s *memory) Having(_ context.Context, keywords ...string) (ids []string, err error) {
	for _, id := range slices.Sorted(maps.Keys(s.pubs)) {
		lacks := func(k string) bool { return !slices.Contains(s.pubs[id].Keywords(), k) }
		if !slices.ContainsFunc(keywords, lacks) {
			ids = append(ids, id)
		}
	}
	return ids, s.fail
}

// cells returns a small collection on batteries, JP1 to JP9.
func cells() *memory {
	s := &memory{print: "v1", pubs: map[string]*publication.Publication{}}
	for i := 1; i <= 9; i++ {
		id := fmt.Sprintf("JP%d", i)
		s.pubs[id] = &publication.Publication{PubID: id, AppID: fmt.Sprintf("特願2023-%06d", i), Title: "電池の監視装置", Abst: "セルの電圧を測る。異常なら止める。", Claim: "測定部を備える装置。"}
	}
	s.pubs["JP1"].FI, s.pubs["JP2"].FI = []string{"H01M10/48P"}, []string{"H01M10/48@Z", "H02J7/00"}
	s.pubs["JP3"].FT, s.pubs["JP4"].CPC = []string{"5H030AS08"}, []string{"H02J7/0048"}
	s.pubs["JP5"].Claim = "充電器。"
	return s
}

// testEngine works in dir on s.
func testEngine(t *testing.T, dir string, s Publications) *Engine {
	t.Helper()
	runs := OpenRuns(store.In(dir))
	return &Engine{runs: runs, pubs: s, now: time.Now}
}

// keep makes a run of a lane that found docs.
func keep(t *testing.T, d *Engine, name string, docs ...string) string {
	t.Helper()
	lane := "fulltext"
	if name == "semantic" {
		lane = name
	}
	return keepAsked(t, d, Request{Lane: lane, LaneName: name, Query: "電池 AND 監視", TopK: 10}, docs...)
}

// keepAsked makes a run of a lane that was asked this.
func keepAsked(t testing.TB, d *Engine, req Request, docs ...string) string {
	t.Helper()
	r := (&Run{Collection: "v1", Request: &req, HitCount: 12, Docs: docs, Scores: make([]float64, len(docs))}).seal(d.now())
	if warnings, err := d.runs.put(t.Context(), r); err != nil || len(warnings) > 0 {
		t.Fatal(warnings, err)
	}
	return r.ID
}

// tuning asks for parameters.
func tuning(p rankfusion.Params) Tuning {
	return Tuning{
		K: &p.K, Beta: &p.Beta, Weights: p.Weights, LaneWeights: p.LaneWeights, PiWeights: p.PiWeights,
		Profile: TargetProfile(p.Profile), FacetTerms: p.FacetTerms, FacetWeights: p.FacetWeights,
		Depth: p.Depth, Grid: p.Grid,
	}
}

func blend(t *testing.T, d *Engine, p rankfusion.Params, runs ...string) *Result {
	t.Helper()
	req := BlendRequest{Tuning: tuning(p), Limit: 100}
	for _, id := range runs {
		req.Runs = append(req.Runs, BlendRun{RunID: id, Weight: 1})
	}
	out, err := d.Blend(t.Context(), req)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// refused wants an error of a code that names a parameter.
func refused(t *testing.T, err error, code toolset.Code, parameter string) *toolset.Error {
	t.Helper()
	f, ok := errors.AsType[*toolset.Error](err)
	if !ok || f.Code != code || f.Details["parameter"] != parameter {
		t.Fatalf("%v, want %s for %s", err, code, parameter)
	}
	return f
}
