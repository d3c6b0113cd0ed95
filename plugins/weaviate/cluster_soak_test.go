//go:build soak

package weaviate

import (
	"context"
	"testing"
	"time"

	"github.com/sagasu-search/sagasu/plugins/weaviate/testdata/cluster"
	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
)

// A cluster of three nodes answers in full without one of them. Without two, it reports what is missing.
func TestClusterOfThree(t *testing.T) {
	nodes := cluster.Start(t, 3)
	url := nodes.URL("docs")
	corpus := manual(t, nil)
	if up := uploaded(t, url, corpus); up.Sent != 240 {
		t.Fatalf("%+v", up)
	}
	s := New()
	if err := s.Configure(t.Context(), []byte(`{"url":"`+url+`"}`)); err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	// ask gathers until it succeeds, and returns the time of the longest attempt and of all together.
	ask := func(enough func(*sdk.Gathered) bool) (got *sdk.Gathered, longest, all time.Duration) {
		for began := time.Now(); time.Since(began) < 2*time.Minute; time.Sleep(100 * time.Millisecond) {
			ctx, cancel := context.WithTimeout(t.Context(), 4*time.Second)
			at := time.Now()
			answer, err := s.Gather(ctx, &sdk.GatherRequest{Kind: snapshot.KindManual, Terms: terms("raid", "number7"), Limit: 1000})
			longest = max(longest, time.Since(at))
			cancel()
			if err != nil {
				t.Logf("%v: %v", time.Since(began).Round(time.Millisecond), err)
				continue
			}
			if len(answer.Sections) != 240 && answer.Answered == answer.Expected {
				t.Errorf("%d sections, and nothing is said to be missing", len(answer.Sections))
			}
			if enough(answer) {
				return answer, longest, time.Since(began)
			}
		}
		t.Fatal("never")
		return nil, 0, 0
	}
	whole := func(g *sdk.Gathered) bool { return len(g.Sections) == 240 && g.Answered == g.Expected }
	got, longest, _ := ask(whole)
	if got.Expected != 1 { // each node has a replica of it
		t.Errorf("%d shards", got.Expected)
	}
	t.Logf("all nodes: %v", longest)
	nodes.Nodes[1].Kill()
	_, longest, all := ask(whole)
	t.Logf("without one: whole after %v, the longest wait %v", all, longest)
	for range 20 {
		if _, l, _ := ask(whole); l > longest {
			longest = l
		}
	}
	t.Logf("without one, 20 more: the longest wait %v", longest)
	nodes.Nodes[1].Run(t)
	nodes.Nodes[1].Await(t)
	_, longest, all = ask(whole)
	t.Logf("all again: %v, the longest wait %v", all, longest)
	nodes.Nodes[1].Kill()
	nodes.Nodes[2].Kill()
	got, longest, all = ask(func(*sdk.Gathered) bool { return true })
	t.Logf("without two: %d sections, %d of %d shards after %v, the longest wait %v",
		len(got.Sections), got.Answered, got.Expected, all, longest)
}
