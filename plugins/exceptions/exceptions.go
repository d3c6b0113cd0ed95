package exceptions

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"sync"

	"github.com/RoaringBitmap/roaring/v2"

	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/lexical"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
	"github.com/sagasu-search/sagasu/sdk/text"
	"github.com/sagasu-search/sagasu/sdk/x/dict"
	"github.com/sagasu-search/sagasu/sdk/x/state"
)

// Config contains the strategy's dictionaries.
type Config struct {
	// Words are added to the bundled ones. They are normalised.
	Words []string `json:"words"`
}

const schema = `{"type":"object","additionalProperties":false,"properties":{
"words":{"type":"array","items":{"type":"string"}}}}`

// Strategy implements [sdk.Strategy].
type Strategy struct {
	words func() dict.Vocabulary // read when it is first needed

	mu    sync.Mutex
	found map[snapshot.Kind]found
}

// found contains the sections of a snapshot that contain one of the words.
type found struct {
	of    string // the snapshot
	all   *roaring.Bitmap
	parts state.Parts[roaring.Bitmap] // with local ids
}

var (
	_ sdk.Configurer = (*Strategy)(nil)
	_ sdk.Opener     = (*Strategy)(nil)
)

// New returns the strategy with the bundled words.
func New() *Strategy {
	return &Strategy{words: sync.OnceValue(dict.Exceptions), found: map[snapshot.Kind]found{}}
}

// Describe implements [sdk.Strategy].
func (s *Strategy) Describe() sdk.Description {
	return sdk.Description{
		Name:         "exceptions",
		Version:      "2",
		Stage:        sdk.StageRetrieve,
		Signals:      []string{sdk.SignalExceptions},
		Weight:       0.3,
		Corpora:      []snapshot.Kind{snapshot.KindManual, snapshot.KindVault},
		ConfigSchema: json.RawMessage(schema),
	}
}

// Configure implements [sdk.Configurer].
func (s *Strategy) Configure(_ context.Context, config json.RawMessage) error {
	var c Config
	if err := sdk.DecodeConfig(config, &c); err != nil {
		return fmt.Errorf("configuration of exceptions: %w", err)
	}
	s.words = sync.OnceValue(func() dict.Vocabulary { return append(dict.Exceptions(), c.Words...) })
	return nil
}

// Open implements [sdk.Opener]. It finds the sections that contain one of the words.
func (s *Strategy) Open(ctx context.Context, corpus *snapshot.Snapshot) error {
	_, err := s.sections(ctx, corpus)
	return err
}

// weights are the weights of the base strategy.
var weights = lexical.DefaultWeights()

// Search implements [sdk.Strategy]. Matched is every section of the scope that contains one of the words, whatever the
// query. Candidates are returned only for a query that asks for exceptions, ranked by how well they match it.
func (s *Strategy) Search(ctx context.Context, req *sdk.Request) (*sdk.Result, error) {
	all, err := s.sections(ctx, req.Corpus)
	if ctx.Err() != nil {
		return &sdk.Result{}, nil // out of time
	}
	if err != nil {
		return nil, err
	}
	scope := req.Sections()
	out := &sdk.Result{Matched: roaring.And(all, scope), Examined: int(scope.GetCardinality()), Finished: true}
	if req.Query.Intent != sdk.IntentExceptions {
		return out, nil
	}
	bag := lexical.NewBag(req.Corpus, &req.Query, weights)
	held := lexical.ExcludeNegative(ctx, req.Corpus, out.Matched, req.Query.Terms)
	params := lexical.DefaultParams(text.HasCJK(req.Query.Text))
	found := lexical.Search(ctx, req.Corpus, held, bag.Query, params, req.Limit)
	out.Finished = found.Finished
	for _, h := range found.Hits {
		out.Candidates = append(out.Candidates, sdk.Candidate{
			Section: h.Section, Score: h.Score, Coverage: h.Coverage,
			Signals: []string{sdk.SignalExceptions}, Terms: bag.SlotNames(h.Slots),
		})
	}
	return out, nil
}

// Entry returns the strategy's entry, for programs that compile it in.
func Entry() sdk.Entry {
	return sdk.Entry{
		Name: "exceptions", New: func() sdk.Strategy { return New() },
		Dictionaries: map[string]string{"exceptions": "words"},
	}
}

// sections returns the sections that contain one of the words as a whole word. It fails with the error of the context
// or of the state directory.
func (s *Strategy) sections(ctx context.Context, snap *snapshot.Snapshot) (*roaring.Bitmap, error) {
	s.mu.Lock()
	last, id := s.found[snap.Kind()], filepath.Join(snap.Dir(), snap.Name())
	s.mu.Unlock()
	if last.of == id {
		return last.all, nil
	}
	words := strings.Join(s.words(), "\n")
	c := state.Computation[roaring.Bitmap]{
		Ext:     ".exceptions",
		Of:      func(*snapshot.Segment) string { return "exceptions 1 " + words },
		Encode:  (*roaring.Bitmap).ToBytes,
		Decode:  func(seg *snapshot.Segment, data []byte) (*roaring.Bitmap, error) { return decode(data, seg.Len()) },
		Compute: func(seg *snapshot.Segment) (*roaring.Bitmap, error) { return s.holders(ctx, seg) },
	}
	parts, held, err := c.Segments(sdk.StateDir(ctx), sdk.Logger(ctx), snap, last.parts)
	if err != nil {
		return nil, err
	}
	all := roaring.New()
	for i, seg := range snap.Segments() {
		all.Or(seg.Alive(parts[i]))
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.found[snap.Kind()] = found{id, all, held}
	return all, nil
}

// holders returns the local ids of a segment's sections that contain one of the words as a whole word.
func (s *Strategy) holders(ctx context.Context, seg *snapshot.Segment) (*roaring.Bitmap, error) {
	out := roaring.New()
	for _, word := range s.words() {
		for it := roaring.AndNot(lexical.ContainingIn(ctx, seg, word), out).Iterator(); it.HasNext(); {
			id := it.Next()
			for f := range seg.Fields() {
				if dict.Index(seg.Normalized(id, f), word) >= 0 {
					out.Add(id)
					break
				}
			}
		}
	}
	return out, ctx.Err()
}

// decode reads the local ids of a segment with that number of sections.
func decode(data []byte, sections uint32) (*roaring.Bitmap, error) {
	out := roaring.New()
	if err := out.UnmarshalBinary(data); err != nil {
		return nil, err
	}
	if err := out.Validate(); err != nil {
		return nil, err
	}
	if !out.IsEmpty() && out.Maximum() >= sections {
		return nil, fmt.Errorf("it has section %d of %d", out.Maximum(), sections)
	}
	return out, nil
}
