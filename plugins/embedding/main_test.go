package embedding

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/hashicorp/go-hclog"
	"go.uber.org/goleak"

	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
	"github.com/sagasu-search/sagasu/sdk/x/sample"
)

func TestMain(m *testing.M) {
	if file := os.Getenv("SAGASU_TEST_MODEL"); file != "" {
		serveProcess(file)
	}
	goleak.VerifyTestMain(m)
}

const (
	secret = "sk-not-for-logs"
	keyEnv = "SAGASU_TEST_EMBED_KEY"
)

// topics are words that belong together; no text of one topic contains a word of another.
var topics = []string{
	"tyre tread rubber wheel rim bead sidewall groove vulcanised silica carcass belt",
	"battery electrode cathode anode electrolyte lithium separator cell charge voltage current terminal",
	"refund invoice payment receipt bank transfer card customer account fee balance statement",
}

// sections belong to the topics in turn; each contains five words of its topic.
func sections(n int) []sample.Section {
	random := rand.New(rand.NewPCG(1, 2))
	out := make([]sample.Section, n)
	for i := range out {
		words := strings.Fields(topics[i%len(topics)])
		random.Shuffle(len(words), func(a, b int) { words[a], words[b] = words[b], words[a] })
		out[i] = sample.Section{Heading: fmt.Sprintf("Section %d", i), Body: strings.Join(words[:5], " ")}
	}
	return out
}

// publish publishes snapshot number v of an index directory, with one segment.
func publish(t testing.TB, dir string, v int, all []sample.Section) *snapshot.Snapshot {
	t.Helper()
	snap, err := sample.Sections(dir, fmt.Sprintf("manual-%06d", v), snapshot.KindManual, all...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { snap.Close() })
	return snap
}

// start returns a strategy that is closed at the end of the test.
func start(t testing.TB, config string) *Strategy {
	t.Helper()
	t.Setenv(keyEnv, secret)
	s := New()
	if err := s.Configure(t.Context(), json.RawMessage(config)); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// surroundings returns a context with a state directory and a logger that fails the test if a text or the key is
// logged.
func surroundings(t testing.TB, dir string) context.Context {
	var log strings.Builder
	t.Cleanup(func() {
		for _, bad := range append(strings.Fields(strings.Join(topics, " ")), secret) {
			if strings.Contains(log.String(), bad) {
				t.Errorf("%q reached the log", bad)
			}
		}
	})
	logger := hclog.New(&hclog.LoggerOptions{Output: &log, Level: hclog.Trace})
	return sdk.WithSurroundings(t.Context(), logger, dir)
}

func find(t testing.TB, ctx context.Context, s *Strategy, snap *snapshot.Snapshot, query string) *sdk.Result {
	t.Helper()
	res, err := s.Search(ctx, &sdk.Request{Corpus: snap, Query: sdk.Query{Raw: query}, Limit: 20})
	if err != nil {
		t.Fatal(err)
	}
	return res
}

// complete waits until nothing more is computed, and returns why the building ended early.
func complete(t testing.TB, ctx context.Context, s *Strategy, snap *snapshot.Snapshot) error {
	t.Helper()
	b := s.building(ctx, snap)
	select {
	case <-b.done:
	case <-time.After(time.Minute):
		t.Fatal("still building after a minute")
	}
	_, _, err := b.view()
	return err
}

// aboutCharging reports whether all candidates belong to the topic of batteries, and whether some do not contain the
// word of the query.
func aboutCharging(t testing.TB, snap *snapshot.Snapshot, res *sdk.Result, word string) {
	t.Helper()
	others := 0
	for _, c := range res.Candidates {
		if c.Section%3 != 1 {
			t.Errorf("section %d is of another topic", c.Section)
		}
		if !strings.Contains(snap.Source(c.Section, snapshot.FieldBody), word) {
			others++
		}
	}
	if len(res.Candidates) != 20 || others == 0 {
		t.Errorf("%d candidates, of which %d do not hold the word", len(res.Candidates), others)
	}
}
