package sdktest_test

import (
	"fmt"
	"os"

	"github.com/sagasu-search/sagasu/sdk/sdktest"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
)

// Query plans a query like the host.
func ExampleQuery() {
	q := sdktest.Query(`how to extend the "refund deadline" -gift`)
	fmt.Println(q.Intent, q.Text)
	for _, t := range q.Terms {
		fmt.Println(t.Kind, t.Text)
	}
	// Output:
	// procedure extend the refund deadline
	// must refund deadline
	// negative gift
	// soft extend
}

// Outside of a test, Publish takes the place of Snapshot. Ids are the indices of the sections.
func ExamplePublish() {
	dir, err := os.MkdirTemp("", "sagasu-example-")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	corpus, err := sdktest.Publish(dir,
		sdktest.Section{Path: "shop.md", Line: 1, Heading: "Refunds", Body: "30 days"},
		sdktest.Section{Path: "shop.md", Line: 4, Heading: "Returns", Body: "free"})
	if err != nil {
		panic(err)
	}
	defer corpus.Close()
	section, _ := corpus.Section(1)
	fmt.Println(section.Path, section.Start, section.Title, corpus.Source(1, snapshot.FieldBody))
	// Output: shop.md 4 Returns free
}
