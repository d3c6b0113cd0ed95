package sample

import (
	"testing"

	"github.com/sagasu-search/sagasu/sdk/snapshot"
)

func TestWithout(t *testing.T) {
	first, err := Sections(t.TempDir(), "manual-000001", snapshot.KindManual, Section{Path: "a.md", Body: "one"}, Section{Path: "b.md", Body: "two"})
	if err != nil {
		t.Fatal(err)
	}
	defer first.Close()
	second, err := Without(first, "manual-000002", func(_, path string) bool { return path == "a.md" })
	if err != nil {
		t.Fatal(err)
	}
	defer second.Close()
	if got := second.Live().ToArray(); len(got) != 1 || got[0] != 1 || second.Source(1, snapshot.FieldBody) != "two" {
		t.Errorf("%v is left", got)
	}
	if got := first.Live().GetCardinality(); got != 2 {
		t.Errorf("the first has %d sections", got)
	}
}

func TestPublications(t *testing.T) {
	s, err := Publications(t.TempDir(), "publication-000001", Publication{Title: "鍵", Claim: "1. A key"})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if s.Source(0, snapshot.FieldTitle) != "鍵" || s.Source(0, snapshot.FieldClaim) != "1. A key" {
		t.Error("the fields are not where they belong")
	}
}
