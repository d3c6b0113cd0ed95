package lane

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sagasu-search/sagasu/framework/internal/patents/publication"
)

// lineage returns a collection in which publications cite each other.
func lineage() *memory {
	s := &memory{print: "v1", pubs: map[string]*publication.Publication{}}
	for _, p := range []*publication.Publication{
		{PubID: "JP2015-000001A", Title: "first", AppID: "特願2013-000001", Citations: []string{"US8000001B2", "特開2000-000009"}},
		{PubID: "JP6000001B2", Title: "grant", AppID: "特願2013-000001"},
		{PubID: "US20150000001A1", Title: "abroad", AppID: "US14000001", Priorities: []string{"JP2013-000001"}, Citations: []string{"特開2015-1"}},
		{PubID: "US20150000002A1", Title: "two priorities", Priorities: []string{"JP2013-000001", "JP2013-000002"}, Citations: []string{"US2015/0000001"}},
		{PubID: "US8000001B2", Title: "old", Citations: []string{"JP2015000001A", "EP1B1"}},
	} {
		s.pubs[p.PubID] = p
	}
	return s
}

// anyWriting finds publications by all writings of their numbers.
type anyWriting struct{ *memory }

func (s anyWriting) Find(_ context.Context, _, number string) (string, error) {
	for id := range s.pubs {
		if publication.ParseNumber(id).Key() == publication.ParseNumber(number).Key() {
			return id, nil
		}
	}
	return "", nil
}

func TestCitesAreFollowedBothWays(t *testing.T) {
	e := testEngine(t, t.TempDir(), anyWriting{lineage()})
	for _, c := range []struct {
		name string
		req  CitesRequest
		want Cited
	}{
		{"one step", CitesRequest{ID: "JP2015-000001A", Depth: 1, Limit: 9}, Cited{
			PubID: "JP2015-000001A", Title: "first", Priorities: []string{}, Family: []string{"JP6000001B2", "US20150000001A1"}, Missing: 1,
			Cites:   []Citation{{"US8000001B2", "US8000001B2", "old", 1, "JP2015-000001A"}, {"特開2000-000009", "", "", 1, "JP2015-000001A"}},
			CitedBy: []Citation{{"US20150000001A1", "US20150000001A1", "abroad", 1, "JP2015-000001A"}, {"US8000001B2", "US8000001B2", "old", 1, "JP2015-000001A"}},
		}},
		{"a circle ends", CitesRequest{ID: "US8000001B2", Depth: 5, Limit: 9}, Cited{
			PubID: "US8000001B2", Title: "old", Priorities: []string{}, Family: []string{}, Missing: 2,
			Cites:   []Citation{{"JP2015000001A", "JP2015-000001A", "first", 1, "US8000001B2"}, {"EP1B1", "", "", 1, "US8000001B2"}, {"特開2000-000009", "", "", 2, "JP2015-000001A"}},
			CitedBy: []Citation{{"JP2015-000001A", "JP2015-000001A", "first", 1, "US8000001B2"}, {"US20150000001A1", "US20150000001A1", "abroad", 2, "JP2015-000001A"}, {"US20150000002A1", "US20150000002A1", "two priorities", 3, "US20150000001A1"}},
		}},
		{"a limit", CitesRequest{ID: "US8000001B2", Depth: 5, Limit: 1}, Cited{
			PubID: "US8000001B2", Title: "old", Priorities: []string{}, Family: []string{}, Truncated: true,
			Cites:   []Citation{{"JP2015000001A", "JP2015-000001A", "first", 1, "US8000001B2"}},
			CitedBy: []Citation{{"JP2015-000001A", "JP2015-000001A", "first", 1, "US8000001B2"}},
		}},
	} {
		got, err := e.Cites(t.Context(), c.req)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(&c.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
	record, err := e.Publication(t.Context(), PublicationRequest{ID: "JP2015-000001A", IDType: "pub_id"})
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]any{"cited_by": []string{"US20150000001A1", "US8000001B2"}, "family": []string{"JP6000001B2", "US20150000001A1"}}
	for name, ids := range want {
		if diff := cmp.Diff(ids, record.Metadata[name]); diff != "" {
			t.Errorf("%s of the record (-want +got):\n%s", name, diff)
		}
	}
	if _, err := e.Cites(t.Context(), CitesRequest{ID: "JP1900-000001A", Depth: 1, Limit: 1}); err == nil {
		t.Error("what is not there was found")
	}
}
