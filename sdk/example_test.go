package sdk_test

import (
	"context"
	"fmt"
	"os"
	"strings"

	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
	"github.com/sagasu-search/sagasu/sdk/x/sample"
)

// shortest is a reranker: of what others found, the shortest goes first.
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

func ExampleStrategy() {
	dir, err := os.MkdirTemp("", "sagasu-example-")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	corpus, err := sample.Sections(dir, "manual-000001", snapshot.KindManual,
		sample.Section{Heading: "Refunds", Body: strings.Repeat("Much is said of refunds. ", 9)},
		sample.Section{Heading: "返金", Body: "返金は30日以内です。"})
	if err != nil {
		panic(err)
	}
	defer corpus.Close()
	res, err := shortest{}.Search(context.Background(), &sdk.Request{
		Corpus: corpus, Limit: 10, Pool: []sdk.Candidate{{Section: 0, Score: 2}, {Section: 1, Score: 1}},
	})
	if err != nil {
		panic(err)
	}
	for _, c := range res.Candidates {
		section, _ := corpus.Section(c.Section)
		fmt.Println(section.Title)
	}
	// Output:
	// 返金
	// Refunds
}
