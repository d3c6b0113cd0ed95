package fulltext

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
)

// benchQueries has queries of each kind in the language, on words from rare to ubiquitous.
var benchQueries = []struct{ name, query string }{
	{"word/rare", "spoke"}, {"word/usual", "battery"}, {"word/common", "device"},
	{"and3/usual", "battery AND electrode AND temperature"}, {"and3/common", "device AND first AND method"},
	{"or+not", "(battery OR cell OR accumulator) AND NOT vehicle"},
	{"field", "title:battery OR claim:electrode"},
	{"phrase/usual", `"heat exchanger"`}, {"phrase/common", `"plurality of"`},
	{"nearn/usual", "battery NEAR5 temperature"}, {"nearn/common", "first NEAR3 second"},
	{"nearn/mixed", `"tire tread"~5`}, {"nearn/apart", "tire NEAR2 vehicle"},
	{"near/usual", `*N30"battery temperature"`}, {"near/common", `*ONP50"first second"`},
	{"wildcard/usual", "electro*"}, {"wildcard/common", "s*"},
}

// BenchmarkSearch measures queries on SAGASU_PUBLICATIONS (20,000) publications recombined from real ones.
// SAGASU_FULLTEXT_INDEX names a folder that keeps the index for later runs.
func BenchmarkSearch(b *testing.B) {
	snap := recombined(b)
	for _, q := range benchQueries {
		b.Run(q.name, func(b *testing.B) {
			var took []time.Duration
			var res *sdk.Result
			b.ReportAllocs()
			for b.Loop() {
				from := time.Now()
				var err error
				if res, err = New().Search(b.Context(), &sdk.Request{Corpus: snap, Query: sdk.Query{Raw: q.query}, Limit: 500}); err != nil {
					b.Fatal(err)
				}
				took = append(took, time.Since(from))
			}
			slices.Sort(took)
			b.ReportMetric(float64(took[len(took)/2].Microseconds())/1000, "median-ms")
			b.ReportMetric(float64(res.Matched.GetCardinality()), "hits")
		})
	}
}

// recombined returns a snapshot of publications, each with fields from several real ones.
func recombined(b *testing.B) *snapshot.Snapshot {
	n, _ := strconv.Atoi(os.Getenv("SAGASU_PUBLICATIONS"))
	if n <= 0 {
		n = 20_000
	}
	dir := os.Getenv("SAGASU_FULLTEXT_INDEX")
	if dir == "" {
		dir = b.TempDir()
	}
	const name = "publication-000001"
	snap, err := snapshot.Open(dir, name, false)
	if errors.Is(err, fs.ErrNotExist) {
		build(b, dir, name, n)
		snap, err = snapshot.Open(dir, name, false)
	}
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { snap.Close() })
	return snap
}

// perSegment limits the memory that building needs.
const perSegment = 25_000

func build(b *testing.B, dir, name string, n int) {
	real, random := publications(b), rand.New(rand.NewPCG(1, 2))
	var segments []snapshot.SegmentInfo
	var w *snapshot.Writer
	for from := 0; from < n; from += perSegment {
		w = snapshot.NewWriter(snapshot.PublicationSchema())
		w.AddFile(snapshot.File{Path: fmt.Sprintf("%06d.jsonl", from)})
		for i := from; i < min(from+perSegment, n); i++ {
			pick := func() map[string]any { return real[random.IntN(len(real))] }
			fields := []string{field(pick(), "title"), field(pick(), "abst"), field(pick(), "claim"), field(pick(), "desc"), "{}"}
			w.Add(snapshot.Section{Title: fields[0], Node: snapshot.NodeJSON, Parent: snapshot.None}, fields)
		}
		info, err := w.WriteFile(b.Context(), dir, fmt.Sprintf("%s-%06d.seg", name, from))
		if err != nil {
			b.Fatal(err)
		}
		segments = append(segments, info)
	}
	if err := snapshot.Publish(dir, w.Manifest(name, segments...)); err != nil {
		b.Fatal(err)
	}
}

func field(p map[string]any, name string) string { s, _ := p[name].(string); return s }

// publications returns real publications.
func publications(b *testing.B) (out []map[string]any) {
	shared := os.Getenv("SAGASU_SHARED")
	if shared == "" {
		b.Skip("SAGASU_SHARED names no folder with eval/patents")
	}
	f, err := os.Open(filepath.Join(shared, "eval", "patents", "uspto640.jsonl"))
	if err != nil {
		b.Skip("no publications: ", err)
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var p map[string]any
		if err := json.Unmarshal(lines.Bytes(), &p); err != nil {
			b.Fatal(err)
		}
		out = append(out, p)
	}
	if err := lines.Err(); err != nil {
		b.Fatal(err)
	}
	return out
}
