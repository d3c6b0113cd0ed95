package semcache_test

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/sagasu-search/sagasu/framework/internal/search"
	"github.com/sagasu-search/sagasu/framework/internal/search/semcache"
	"github.com/sagasu-search/sagasu/sdk"
)

// keys caches the keys of queries, most of which are in several pairs.
type keys map[string]semcache.Key

func (k keys) of(query string) semcache.Key {
	if _, ok := k[query]; !ok {
		k[query] = semcache.KeyOf(search.Plan(query, 0.12))
	}
	return k[query]
}

// alike returns how the second query would be served after the first, if the answer fits every intent that a judgement
// can consider alike.
func (k keys) alike(a, b string) semcache.Mode {
	switch x, y := k.of(a), k.of(b); {
	case x.Exact == y.Exact:
		return semcache.Exact
	case x.Meaning == y.Meaning && (x.Intent == y.Intent || framed(x.Intent, y.Intent) || framed(y.Intent, x.Intent)):
		return semcache.Semantic
	}
	return semcache.Miss
}

// framed reports whether only the second of two intents comes from a frame.
func framed(bare, other sdk.Intent) bool {
	return bare == sdk.IntentUnknown && (other == sdk.IntentDefinition || other == sdk.IntentProcedure)
}

// lines decodes a file of JSON lines.
func lines[T any](t *testing.T, path string) (out []T) {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for in := bufio.NewScanner(f); in.Scan(); {
		var v T
		if err := json.Unmarshal(in.Bytes(), &v); err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		out = append(out, v)
	}
	return out
}

// pair is two queries of our own and whether one answer serves both.
type pair struct {
	A, B string
	Same bool
}

func TestOwnPairs(t *testing.T) {
	pairs := lines[pair](t, "testdata/pairs.jsonl")
	if len(pairs) < 60 {
		t.Fatalf("only %d pairs", len(pairs))
	}
	for _, p := range pairs {
		if hit := make(keys).alike(p.A, p.B).Hit(); hit != p.Same {
			t.Errorf("%q and %q: hit %t, want %t", p.A, p.B, hit, p.Same)
		}
	}
}

// corpus finds a set of pairs that is not part of the source tree.
func corpus(t *testing.T, name string) string {
	t.Helper()
	root := os.Getenv("SAGASU_SHARED")
	if root == "" {
		root = filepath.Join("..", "..", "..", "..", "..", "shared")
	}
	path := filepath.Join(root, "eval", "ja_pairs", name)
	if _, err := os.Stat(path); err != nil {
		t.Skipf("no pairs at SAGASU_SHARED: %v", err)
	}
	return path
}

// tally counts the hits among pairs.
type tally struct {
	keys                                keys
	pairs, same, exact, semantic, wrong int
}

func (c *tally) add(t *testing.T, a, b string, same bool) {
	mode := c.keys.alike(a, b)
	c.pairs++
	if same {
		c.same++
	}
	switch mode {
	case semcache.Exact:
		c.exact++
	case semcache.Semantic:
		c.semantic++
	}
	if mode.Hit() && !same {
		c.wrong++
		t.Logf("wrong %s hit: %q | %q", mode, a, b)
	}
}

func (c *tally) precision() float64 {
	if c.exact+c.semantic == 0 {
		return 1
	}
	return 1 - float64(c.wrong)/float64(c.exact+c.semantic)
}

func (c *tally) report(t *testing.T) {
	hits := c.exact + c.semantic
	t.Logf("%d pairs, %d same: %d exact, %d semantic, %d wrong; precision %.4f, hit rate %.4f of the same",
		c.pairs, c.same, c.exact, c.semantic, c.wrong, c.precision(), float64(hits-c.wrong)/float64(c.same))
}

func TestQuestionPairs(t *testing.T) {
	if testing.Short() {
		t.Skip("nothing runs at once")
	}
	type question struct {
		Q1, Q2 string
		Same   bool
	}
	c := tally{keys: make(keys)}
	for _, q := range lines[question](t, corpus(t, "questions.jsonl")) {
		c.add(t, q.Q1, q.Q2, q.Same)
	}
	c.report(t)
	if c.precision() < 0.99 || c.semantic == 0 {
		t.Errorf("precision %.4f with %d semantic hits, want at least 0.99 of some", c.precision(), c.semantic)
	}
}

// Captions are judged from 0 to 5; 4.5 and more counts as the same.
func TestCaptionPairs(t *testing.T) {
	if testing.Short() {
		t.Skip("nothing runs at once")
	}
	type caption struct {
		S1, S2 string
		Score  float64
	}
	c := tally{keys: make(keys)}
	for _, x := range lines[caption](t, corpus(t, "jsts.jsonl")) {
		c.add(t, x.S1, x.S2, x.Score >= 4.5)
	}
	c.report(t)
	if c.wrong > 0 {
		t.Errorf("%d captions of another meaning are taken for the same", c.wrong)
	}
}
