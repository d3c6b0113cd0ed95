package fulltext

import (
	"encoding/json"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode"

	"github.com/google/go-cmp/cmp"

	"github.com/sagasu-search/sagasu/sdk/sdktest"
	"github.com/sagasu-search/sagasu/sdk/text"
	"github.com/sagasu-search/sagasu/sdk/x/patentquery"
)

// sample returns the invented publications in a language.
func sample(t *testing.T, language string) (pubs []sdktest.Publication) {
	data, err := os.ReadFile(filepath.Join("..", "..", "testdata", "publications", language+".jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(data)) {
		var p sdktest.Publication
		if err := json.Unmarshal([]byte(line), &p); err != nil {
			t.Fatal(err)
		}
		pubs = append(pubs, p)
	}
	return pubs
}

// asker makes queries from pieces of publications.
type asker struct {
	*rand.Rand
	pubs []sdktest.Publication
}

// words returns a few consecutive words or characters.
func (a asker) words(most int) string {
	p := a.pubs[a.IntN(len(a.pubs))]
	from := []string{p.Title, p.Abst, p.Claim, p.Desc}[a.IntN(4)]
	units, glue := strings.FieldsFunc(from, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '-' }), " "
	if strings.ContainsFunc(from, text.IsCJK) {
		units, glue = strings.Split(units[a.IntN(len(units))], ""), ""
		most *= 2
	}
	at := a.IntN(len(units))
	return strings.Join(units[at:min(len(units), at+1+a.IntN(most))], glue)
}

func (a asker) term() string {
	switch a.IntN(5) {
	case 0:
		return `"` + a.words(3) + `"`
	case 1:
		w := []rune(a.words(1))
		return string(w[:1+a.IntN(len(w))]) + "*"
	}
	return `"` + a.words(1) + `"`
}

func (a asker) query(depth int) string {
	switch k := a.IntN(8); {
	case k == 0:
		return `*N30"` + a.words(1) + " " + a.words(1) + `"`
	case k == 1:
		return []string{"title:", "abst:", "claim:", "desc:"}[a.IntN(4)] + a.term()
	case k < 4 || depth == 0:
		return a.words(1)
	case k < 6:
		return "(" + a.query(depth-1) + " OR " + a.term() + ")"
	case k < 7:
		return "(" + a.query(depth-1) + " AND " + a.query(depth-1) + ")"
	}
	return "(" + a.term() + " AND NOT " + a.query(depth-1) + ")"
}

// For the sample too, the index gives the same matches as a scan of the texts.
func TestSampleMatchesAreExact(t *testing.T) {
	for _, language := range []string{"ja", "en"} {
		t.Run(language, func(t *testing.T) {
			pubs := sample(t, language)
			snap := sdktest.Publications(t, pubs...)
			a := asker{rand.New(rand.NewPCG(3, uint64(len(language)))), pubs}
			asked, some := 0, 0
			for range 150 {
				query := a.query(2)
				if _, err := patentquery.Parse(query); err != nil {
					continue // a word that is an operator, or only punctuation
				}
				want := scan(t, pubs, query, patentquery.Wide)
				got := search(t, t.Context(), snap, query, nil, "")
				if diff := cmp.Diff(want.ToArray(), got.Matched.ToArray()); diff != "" {
					t.Errorf("%s: %s", query, diff)
				}
				if asked++; !want.IsEmpty() {
					some++
				}
			}
			if asked < 100 || some < asked/2 {
				t.Errorf("%d queries, of which %d found something", asked, some)
			}
		})
	}
}
