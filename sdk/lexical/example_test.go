package lexical_test

import (
	"context"
	"fmt"
	"os"
	"strings"

	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/lexical"
	"github.com/sagasu-search/sagasu/sdk/sdktest"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
	"github.com/sagasu-search/sagasu/sdk/text"
)

// corpus publishes the corpus of the examples; done removes it.
func corpus() (snap *snapshot.Snapshot, done func()) {
	dir, err := os.MkdirTemp("", "sagasu-example-")
	if err != nil {
		panic(err)
	}
	snap, err = sdktest.Publish(dir,
		sdktest.Section{Heading: "Refunds", Body: "A refund takes 30 days. Ask for a refund in writing."},
		sdktest.Section{Heading: "Deadlines", Body: "Every refund has a deadline."},
		sdktest.Section{Heading: "Opening hours", Body: "We open at 9:00."},
		sdktest.Section{Heading: "マイ・ナンバー", Body: "番号の届出。"})
	if err != nil {
		panic(err)
	}
	return snap, func() { snap.Close(); os.RemoveAll(dir) }
}

var ctx = context.Background()

// Search ranks by BM25F. The bag says which terms count for a match.
func ExampleSearch() {
	snap, done := corpus()
	defer done()
	query := sdk.Query{Raw: "Refund deadline", Text: "refund deadline", MatchThreshold: 0.3}
	bag := lexical.NewBag(snap, &query, lexical.Weights{Word: 1, Unigram: 0.2, Bigram: 1})
	params := lexical.DefaultParams(text.HasCJK(query.Text))
	res := lexical.Search(ctx, snap, nil, bag.Query, params, 10)
	for _, hit := range res.Hits {
		section, _ := snap.Section(hit.Section)
		fmt.Println(section.Title, bag.SlotNames(hit.Slots))
	}
	fmt.Println(res.Examined, "examined")
	// Output:
	// Deadlines [refund deadline]
	// Refunds [refund]
	// 4 examined
}

func ExampleContaining() {
	snap, done := corpus()
	defer done()
	fmt.Println(lexical.Containing(ctx, snap, "refund takes"))
	// Output: {0}
}

// ContainingLoose finds a word that is split by separators.
func ExampleContainingLoose() {
	snap, done := corpus()
	defer done()
	fmt.Println(lexical.Containing(ctx, snap, "マイナンバ"), lexical.ContainingLoose(ctx, snap, "マイナンバ"))
	// Output: {} {3}
}

// Evaluate answers boolean queries: here "refund" in the body, verified letter by letter, and not "deadline".
func ExampleEvaluate() {
	snap, done := corpus()
	defer done()
	word := func(w string) lexical.Match {
		return lexical.Match{
			Key: w, Groups: [][]string{{text.Stem(w)}}, Fields: lexical.Fields(0).With(snapshot.FieldBody),
			Verify: func(section uint32, field int) bool { return strings.Contains(snap.Normalized(section, field), w) },
		}
	}
	expr := lexical.AllOf{word("refund"), lexical.NoneOf{Part: word("deadline")}}
	fmt.Println(lexical.Evaluate(ctx, snap, nil, expr, lexical.DefaultParams(false), 10).Matched)
	// Output: {0}
}

// MatchSlots matches by the caller's own rule: here all terms.
func ExampleMatchSlots() {
	snap, done := corpus()
	defer done()
	terms := []lexical.Term{{Text: "refund", Slot: 0}, {Text: "deadlin", Slot: 1}}
	both := func(_ uint32, slots uint64) bool { return slots == 0b11 }
	matched, finished := lexical.MatchSlots(ctx, snap, snap.Live(), terms, both)
	fmt.Println(matched, finished)
	// Output: {1} true
}

func ExampleProximity() {
	terms, weights := []string{"refund", "deadline"}, []float64{1, 1}
	near := lexical.Proximity("the refund deadline", terms, weights, 20)
	far := lexical.Proximity("a refund is paid after two months, see the deadline", terms, weights, 20)
	fmt.Printf("%.2f %.2f\n", near, far)
	// Output: 0.95 0.36
}

func ExampleTop() {
	top := lexical.NewTop(2)
	for section, score := range []float64{0.5, 2, 1} {
		top.Offer(lexical.Hit{Section: uint32(section), Score: score})
	}
	for _, hit := range top.Sorted() {
		fmt.Println(hit.Section, hit.Score)
	}
	// Output:
	// 1 2
	// 2 1
}
