package weaviate

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/sdktest"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
)

func TestUploadSendsWhatChanged(t *testing.T) {
	engines(t, func(t *testing.T, host string) {
		url := "weaviate://" + host + "/docs"
		first := uploaded(t, url, manual(t, nil))
		s := gatherer(t, url)
		at := gather(t, s, sdk.GatherRequest{Terms: terms("number5", "manuala"), Limit: 1000}).Sections
		at = slices.DeleteFunc(at, func(x sdk.GatheredSection) bool { return place(x) != "a/guide/deep/raid.md#51" })
		key := at[0].Key
		for _, c := range []struct {
			name          string
			change        func(all []sdktest.Section) []sdktest.Section
			sent, deleted int
		}{
			{"nothing", nil, 0, 0},
			{"one text", func(all []sdktest.Section) []sdktest.Section {
				all[5].Body += " zebra7"
				return all
			}, 1, 0},
			{"one gone", func(all []sdktest.Section) []sdktest.Section {
				return append(all[:200:200], all[239:]...)
			}, 2, 39},
		} {
			up := uploaded(t, url, manual(t, c.change))
			if up.Sent != c.sent || up.Deleted != c.deleted || (up.Generation == first.Generation) != (c.sent+c.deleted == 0) {
				t.Errorf("%s: %+v after %+v", c.name, up, first)
			}
			got := gather(t, s, sdk.GatherRequest{Terms: terms("zebra7", "raid"), Limit: 1000})
			if want := up.Sections; len(got.Sections) != want || got.Statistics.Sections != want ||
				got.Statistics.DocFreqs["raid"] != want || got.Statistics.DocFreqs["zebra7"] != c.sent%2 || got.Generation != up.Generation {
				t.Errorf("%s: %d sections of %s, %+v", c.name, len(got.Sections), got.Generation, got.Statistics)
			}
			if c.name == "one text" && got.Sections[0].Key != key {
				t.Errorf("the key became %s, not %s", got.Sections[0].Key, key)
			}
		}
	})
}

// TestStoredFields checks that stored fields are returned if requested, and that other fields are another generation.
func TestStoredFields(t *testing.T) {
	engines(t, func(t *testing.T, host string) {
		url, corpus := "weaviate://"+host+"/docs", manual(t, nil)
		field := func(name string) sdk.StoredField {
			return sdk.StoredField{Name: name, Text: func(id uint32) string {
				return name + " of " + corpus.Source(id, snapshot.FieldHeading)
			}}
		}
		plain := uploaded(t, url, corpus)
		s := gatherer(t, url)
		if got := gather(t, s, sdk.GatherRequest{Terms: terms("raid"), Stored: true}); got.Stored != nil || len(got.Sections[0].Fields) != 3 {
			t.Errorf("%v are stored: %q", got.Stored, got.Sections[0].Fields)
		}
		up := uploaded(t, url, corpus, field("@a"), field("@b \"c\""))
		if up.Sent != 240 || up.Generation == plain.Generation {
			t.Errorf("%+v after %+v", up, plain)
		}
		for name, req := range map[string]sdk.GatherRequest{
			"ranked": {Terms: terms("raid"), Limit: 300, Stored: true}, "listed": {Limit: 300, Stored: true},
			"sampled": {Sample: true, Limit: 300, Stored: true}, "not asked": {Terms: terms("raid"), Limit: 300},
		} {
			got := gather(t, s, req)
			if req.Stored != slices.Equal(got.Stored, []string{"@a", "@b \"c\""}) || len(got.Sections) != 240 {
				t.Errorf("%s: %q of %d sections", name, got.Stored, len(got.Sections))
			}
			for _, x := range got.Sections {
				want := x.Fields[:3:3]
				for _, stored := range got.Stored {
					want = append(want, stored+" of "+x.Fields[snapshot.FieldHeading])
				}
				if !slices.Equal(x.Fields, want) {
					t.Fatalf("%s: %q, want %q", name, x.Fields, want)
				}
			}
		}
		if again := uploaded(t, url, corpus, field("@a"), field("@b \"c\"")); again.Sent != 0 || again.Generation != up.Generation {
			t.Errorf("again: %+v after %+v", again, up)
		}
		if other := uploaded(t, url, corpus, field("@a")); other.Sent != 240 {
			t.Errorf("with other names: %+v", other)
		}
	})
}

// TestAnotherWorkspace checks that an upload from another workspace empties a collection only if requested.
func TestAnotherWorkspace(t *testing.T) {
	engines(t, func(t *testing.T, host string) {
		url := "weaviate://" + host + "/docs"
		first := uploaded(t, url, manual(t, nil))
		up := sdk.Upload{To: url, Corpus: sdktest.Snapshot(t, sdktest.Section{
			Manual: "other", Path: "a.md", Line: 1, Heading: "A", Body: "raid",
		}), Progress: func(string, int, int) {}}
		for _, stored := range [][]sdk.StoredField{nil, {{Name: "@a", Text: func(uint32) string { return "" }}}} {
			up.Stored = stored // the second one belongs to another generation
			if _, err := fill(t.Context(), up, 0); err == nil || !strings.Contains(err.Error(), "none of the 240 sections") {
				t.Errorf("%d stored fields: %v", len(stored), err)
			}
		}
		up.Stored = nil
		if again := uploaded(t, url, manual(t, nil)); *again != (sdk.Uploaded{Sections: 240, Generation: first.Generation}) {
			t.Errorf("%+v after %+v", again, first)
		}
		up.Replace = true
		if out, err := fill(t.Context(), up, 0); err != nil || out.Sent != 1 || out.Deleted != 240 {
			t.Errorf("%+v, %v", out, err)
		}
	})
}

// TestANodeThatDied lets others still ask a dead node for a while. An upload waits that long.
func TestANodeThatDied(t *testing.T) {
	f := newFake(t)
	asked := 0
	f.misbehave = func(w http.ResponseWriter, r *http.Request) bool {
		if r.URL.Path != "/v1/nodes" {
			return false
		}
		if asked++; asked > 5 {
			return false
		}
		w.WriteHeader(http.StatusInternalServerError)
		return true
	}
	if up := uploaded(t, f.url("docs", 1), manual(t, nil)); up.Sent != 240 {
		t.Errorf("%+v", up)
	}
}

func TestAnUploadGoesOn(t *testing.T) {
	engines(t, func(t *testing.T, host string) {
		url := "weaviate://" + host + "/docs"
		corpus := manual(t, func(all []sdktest.Section) []sdktest.Section {
			for i := range 4000 {
				all = append(all, sdktest.Section{Manual: "c", Path: "long.md", Line: 1 + i, Heading: fmt.Sprint(i), Body: "raid"})
			}
			return all
		})
		uploaded(t, url, manual(t, nil))
		ctx, kill := context.WithCancel(t.Context())
		defer kill()
		_, err := Upload(ctx, sdk.Upload{To: url, Corpus: corpus, Progress: func(phase string, done, _ int) {
			if phase == "sending sections" && done > 0 {
				kill()
			}
		}})
		if !errors.Is(err, context.Canceled) {
			t.Fatalf("an interrupted upload: %v", err)
		}
		s := gatherer(t, url)
		if got := gather(t, s, sdk.GatherRequest{Terms: terms("raid"), Limit: 1000}); got.Exact {
			t.Errorf("exact amid an upload: %d", got.Total)
		}
		up := uploaded(t, url, corpus)
		if up.Sent == 0 || up.Sent >= 4000 || up.Sections != 4240 {
			t.Errorf("the second upload: %+v", up)
		}
		got := gather(t, s, sdk.GatherRequest{Terms: terms("raid"), Limit: 1000})
		if got.Statistics.Sections != 4240 || got.Statistics.DocFreqs["raid"] != 4240 || got.Exact || got.Total != 4240 {
			t.Errorf("gathered %d of %+v", got.Total, got.Statistics)
		}
	})
}

// Each node has a replica of one shard, if there are enough nodes for all replicas.
func TestShardsOfNodes(t *testing.T) {
	for nodes, want := range map[int][2]int{1: {1, 1}, 2: {2, 1}, 3: {3, 1}, 4: {3, 2}, 6: {3, 2}, 7: {3, 3}, 9: {3, 3}} {
		var got struct {
			ReplicationConfig struct{ Factor int }
			ShardingConfig    struct{ DesiredCount int }
		}
		server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
			if err := json.NewDecoder(r.Body).Decode(&got); err != nil {
				t.Error(err)
			}
		}))
		defer server.Close()
		n, err := dial(address{hosts: []string{server.URL}}, "", nil)
		if err != nil {
			t.Fatal(err)
		}
		defer n.close()
		if err := n.define(t.Context(), "Docs_1", state{}, nodes); err != nil {
			t.Fatal(err)
		}
		if got := [2]int{got.ReplicationConfig.Factor, got.ShardingConfig.DesiredCount}; got != want {
			t.Errorf("%d nodes: %d replicas, %d shards, want %v", nodes, got[0], got[1], want)
		}
	}
}

// dialed returns the address that a url names, and a client of it.
func dialed(t *testing.T, url string) (address, *nodes) {
	t.Helper()
	a, err := parse(url)
	if err != nil {
		t.Fatal(err)
	}
	n, err := dial(a, "", nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(n.close)
	return a, n
}

// An upload by another version fills a class beside the one in use and replaces it at the end.
func TestAnotherGeneration(t *testing.T) {
	engines(t, func(t *testing.T, host string) {
		url := "weaviate://" + host + "/docs"
		a, n := dialed(t, url)
		old := "Docs_00000000"
		for _, class := range []string{old, termsOf(old)} {
			s := state{Format: "0", Kind: snapshot.KindManual, Revision: 2}
			if err := n.define(t.Context(), class, s, 1, property(propHash, "text", "field", false, false)); err != nil {
				t.Fatal(err)
			}
		}
		before := &upload{address: a, nodes: n, target: old}
		if err := before.replace(t.Context(), ""); err != nil {
			t.Fatal(err)
		}
		s := gatherer(t, url)
		if _, err := s.Gather(t.Context(), &sdk.GatherRequest{Limit: 1}); !errors.Is(err, errForeign) {
			t.Errorf("another version's collection: %v", err)
		}
		up := uploaded(t, url, manual(t, nil))
		if got := gather(t, s, sdk.GatherRequest{Terms: terms("raid"), Limit: 1000}); len(got.Sections) != 240 || got.Generation != up.Generation {
			t.Errorf("%d sections of %s, uploaded %+v", len(got.Sections), got.Generation, up)
		}
		for _, class := range []string{old, termsOf(old)} {
			if _, err := n.class(t.Context(), class); !missing(err) {
				t.Errorf("%s is still there: %v", class, err)
			}
		}
	})
}

// The next upload does not read again what an upload left, unless some of its objects are gone.
func TestUploadReadsWhatChanged(t *testing.T) {
	f := newFake(t)
	url := f.url("docs", 1)
	listed := func(change func([]sdktest.Section) []sdktest.Section) (up *sdk.Uploaded, all int) {
		f.queries = nil
		up = uploaded(t, url, manual(t, change))
		for _, q := range f.queries {
			if reAfter.MatchString(q) {
				all++
			}
		}
		return up, all
	}
	edited := func(all []sdktest.Section) []sdktest.Section {
		all[5].Body += " zebra7"
		return all
	}
	if _, all := listed(nil); all != 2 {
		t.Errorf("the first upload lists %d times", all)
	}
	if up, all := listed(nil); all != 0 || up.Sent != 0 {
		t.Errorf("with nothing to send %d lists, %d sent", all, up.Sent)
	}
	if up, all := listed(edited); all < 2 || all > 20 || up.Sent != 1 || up.Deleted != 0 {
		t.Errorf("with an edit %d lists, %d sent, %d deleted", all, up.Sent, up.Deleted)
	}
	for class, objects := range f.objects {
		for id := range objects {
			if strings.HasSuffix(class, "_terms") {
				break
			}
			delete(objects, id)
			break
		}
	}
	if up, all := listed(edited); all == 0 || up.Sent != 1 {
		t.Errorf("with a lost section %d lists, %d sent", all, up.Sent)
	}
}
