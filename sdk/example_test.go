package sdk_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"sync"

	"github.com/RoaringBitmap/roaring/v2"

	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/sdktest"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
)

// publish publishes a corpus for an example; done removes it.
func publish(sections ...sdktest.Section) (corpus *snapshot.Snapshot, done func()) {
	dir, err := os.MkdirTemp("", "sagasu-example-")
	if err != nil {
		panic(err)
	}
	corpus, err = sdktest.Publish(dir, sections...)
	if err != nil {
		panic(err)
	}
	return corpus, func() { corpus.Close(); os.RemoveAll(dir) }
}

// print prints the headings of a result.
func print(corpus *snapshot.Snapshot, res *sdk.Result) {
	for _, c := range res.Candidates {
		section, _ := corpus.Section(c.Section)
		fmt.Println(section.Title)
	}
}

// containing finds the sections that contain the query, letter for letter.
type containing struct{}

func (containing) Describe() sdk.Description {
	return sdk.Description{
		Name: "containing", Version: "0.1.0", Stage: sdk.StageRetrieve,
		Signals: []string{sdk.SignalNormalized}, Weight: 0.1,
	}
}

func (containing) Search(ctx context.Context, req *sdk.Request) (*sdk.Result, error) {
	out := &sdk.Result{Finished: true}
	for sections := req.Sections().Iterator(); sections.HasNext(); out.Examined++ {
		if ctx.Err() != nil { // out of time: return what was found
			out.Finished = false
			break
		}
		id := sections.Next()
		if n := strings.Count(req.Corpus.Normalized(id, snapshot.FieldBody), req.Query.Text); n > 0 {
			out.Candidates = append(out.Candidates, sdk.Candidate{
				Section: id, Score: float64(n), Signals: []string{sdk.SignalNormalized},
			})
		}
	}
	out.Candidates = sdk.Best(out.Candidates, req.Limit)
	return out, nil
}

// The smallest strategy: it describes itself and answers a request. Its main would be
// serve.Strategy(containing{}).
func ExampleStrategy() {
	corpus, done := publish(
		sdktest.Section{Heading: "Refunds", Body: "A refund takes 30 days."},
		sdktest.Section{Heading: "Returns", Body: "A return is free, and so is a return label."})
	defer done()
	res, err := containing{}.Search(context.Background(), &sdk.Request{
		Corpus: corpus, Limit: 10, Query: sdk.Query{Raw: "Return", Text: "return"},
	})
	if err != nil {
		panic(err)
	}
	print(corpus, res)
	fmt.Println("examined", res.Examined)
	// Output:
	// Returns
	// examined 2
}

// shortest is a reranker: the shortest of the pool goes first.
type shortest struct{}

func (shortest) Describe() sdk.Description {
	return sdk.Description{
		Name: "shortest", Version: "0.1.0", Stage: sdk.StageRerank,
		Signals: []string{sdk.SignalLateRerank}, Weight: 0.1,
	}
}

func (shortest) Search(_ context.Context, req *sdk.Request) (*sdk.Result, error) {
	out := &sdk.Result{Finished: true}
	for _, c := range req.Pool {
		length := len(req.Corpus.Normalized(c.Section, snapshot.FieldBody))
		out.Candidates = append(out.Candidates, sdk.Candidate{Section: c.Section, Score: 1 / float64(1+length)})
	}
	out.Candidates = sdk.Best(out.Candidates, req.Limit)
	return out, nil
}

// A reranker scores the sections of the pool and adds none.
func ExampleStrategy_rerank() {
	corpus, done := publish(
		sdktest.Section{Heading: "Refunds", Body: strings.Repeat("Much is said of refunds. ", 9)},
		sdktest.Section{Heading: "返金", Body: "返金は30日以内です。"})
	defer done()
	res, err := shortest{}.Search(context.Background(), &sdk.Request{
		Corpus: corpus, Limit: 10, Pool: []sdk.Candidate{{Section: 0, Score: 2}, {Section: 1, Score: 1}},
	})
	if err != nil {
		panic(err)
	}
	print(corpus, res)
	// Output:
	// 返金
	// Refunds
}

// limited is a strategy with a configuration.
type limited struct {
	containing
	most int
}

func (l *limited) Describe() sdk.Description {
	d := l.containing.Describe()
	d.ConfigSchema = json.RawMessage(`{"type":"object","properties":{"most":{"type":"integer","minimum":1}}}`)
	return d
}

func (l *limited) Configure(_ context.Context, config json.RawMessage) error {
	var c struct{ Most int }
	if err := json.Unmarshal(config, &c); err != nil {
		return fmt.Errorf("configuration of limited: %w", err)
	}
	l.most = c.Most
	return nil
}

// A Configurer receives its configuration, which fits its schema, before the first search.
func ExampleConfigurer() {
	var strategy sdk.Strategy = &limited{}
	if c, ok := strategy.(sdk.Configurer); ok {
		if err := c.Configure(context.Background(), json.RawMessage(`{"most": 3}`)); err != nil {
			panic(err)
		}
	}
	fmt.Println(strategy.(*limited).most)
	// Output: 3
}

// counting precomputes the length of every section.
type counting struct {
	containing
	mu      sync.Mutex
	lengths map[string][]int // by the name of a snapshot
}

func (c *counting) Open(_ context.Context, corpus *snapshot.Snapshot) error {
	lengths := make([]int, corpus.Bound())
	for sections := corpus.Live().Iterator(); sections.HasNext(); {
		id := sections.Next()
		lengths[id] = len(corpus.Source(id, snapshot.FieldBody))
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.lengths[corpus.Name()] = lengths
	return nil
}

// An Opener prepares for each snapshot before the first search on it.
func ExampleOpener() {
	corpus, done := publish(sdktest.Section{Body: "one"}, sdktest.Section{Body: "three"})
	defer done()
	strategy := &counting{lengths: map[string][]int{}}
	if err := strategy.Open(context.Background(), corpus); err != nil {
		panic(err)
	}
	fmt.Println(strategy.lengths[corpus.Name()])
	// Output: [3 5]
}

// The scope of a request is a set of section ids; without one, all live sections are searched.
func ExampleRequest_Sections() {
	corpus, done := publish(sdktest.Section{}, sdktest.Section{}, sdktest.Section{})
	defer done()
	fmt.Println((&sdk.Request{Corpus: corpus}).Sections())
	fmt.Println((&sdk.Request{Corpus: corpus, Scope: roaring.BitmapOf(1, 2, 99)}).Sections())
	// Output:
	// {0,1,2}
	// {1,2}
}

func ExampleBest() {
	candidates := []sdk.Candidate{{Section: 4, Score: 1}, {Section: 7, Score: 3}, {Section: 9, Score: 2}}
	for _, c := range sdk.Best(candidates, 2) {
		fmt.Println(c.Section, c.Score)
	}
	// Output:
	// 7 3
	// 9 2
}

// An Entry compiles a strategy into a program. This one connects to a service only when a
// setting names it.
func ExampleEntry() {
	entry := sdk.Entry{
		Name: "containing",
		New:  func() sdk.Strategy { return containing{} },
		Launch: func(c sdk.Configuration) (sdk.Launch, error) {
			if c.Setting("SERVICE_URL") == "" {
				return sdk.Launch{Off: true}, nil
			}
			return sdk.Launch{Network: []sdk.Grant{{Value: "tcp:443", From: "SERVICE_URL"}}}, nil
		},
	}
	launch, err := entry.Launch(sdk.Configuration{Setting: func(string) string { return "" }})
	fmt.Println(entry.New().Describe().Name, launch.Off, err)
	// Output: containing true <nil>
}
