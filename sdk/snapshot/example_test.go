package snapshot_test

import (
	"fmt"
	"os"

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
		sdktest.Section{Heading: "Refunds", Body: "A refund takes 30 days. Ask for a refund."},
		sdktest.Section{Heading: "返金", Body: "返金は30日以内です。"})
	if err != nil {
		panic(err)
	}
	return snap, func() { snap.Close(); os.RemoveAll(dir) }
}

// Postings of a term, by segment: local ids and the frequency in each field.
func ExampleSegment_Postings() {
	snap, done := corpus()
	defer done()
	var postings snapshot.Postings
	for _, segment := range snap.Segments() {
		for ok := segment.Postings("refund", &postings); ok && postings.Next(); {
			for i, doc := range postings.Docs {
				fmt.Println(segment.Base()+doc, postings.Freq(snapshot.FieldHeading, i), postings.Freq(snapshot.FieldBody, i))
			}
		}
	}
	// Output: 0 1 2
}

// Terms lists the dictionary with document frequencies.
func ExampleSnapshot_Terms() {
	snap, done := corpus()
	defer done()
	for term, df := range snap.Terms("3") {
		fmt.Println(term, df)
	}
	fmt.Println(snap.DocFreq("返金"), snap.DocFreq("deadlin"))
	// Output:
	// 30 2
	// 30days 1
	// 1 0
}

// Tokens yields a text's tokens as they are in the index.
func ExampleSnapshot_Tokens() {
	snap, done := corpus()
	defer done()
	for token := range snap.Tokens(1, snapshot.FieldHeading) {
		fmt.Println(token.Term, token.Class == text.Bigram)
	}
	// Output:
	// 返 false
	// 返金 true
	// 金 false
}

// A section has a place in its file and a text per field, both as written and in search form.
func ExampleSnapshot_Section() {
	snap, done := corpus()
	defer done()
	for ids := snap.Live().Iterator(); ids.HasNext(); {
		id := ids.Next()
		section, _ := snap.Section(id)
		fmt.Printf("%s/%s:%d %s\n", section.Group, section.Path, section.Start, section.Title)
		fmt.Println(snap.Source(id, snapshot.FieldBody))
		fmt.Println(snap.Normalized(id, snapshot.FieldBody))
	}
	// Output:
	// m/000000.md:1 Refunds
	// A refund takes 30 days. Ask for a refund.
	// a refund takes 30 days. ask for a refund.
	// m/000001.md:1 返金
	// 返金は30日以内です。
	// 返金は30日以内です。
}
