//go:build fit

package answer

import (
	"bufio"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/sagasu-search/sagasu/sdk/text"
)

var poolsDir = flag.String("pools", "", "the folder that TestPools of framework/internal/cli wrote")

// pool is a query with the sections that were found and what is known about them.
type pool struct {
	Set, ID, Foreign, Status string
	Odd                      bool
	Answers                  []string
	Kind                     string
	Gaps                     []string
	Relevant                 []int
	Known                    int
	In                       map[string]int
	Input

	r     *reading
	right []bool // whether each unit answers
}

var sets = slices.Concat(shared, questions)

// shared are the sets of the evaluation data.
var shared = []string{"ja_jsquad", "ja_jaquad", "scale_ja", "en_doc2dial", "en_anthropic_docs", "en_scifact"}

// questions are English sets whose answers are quoted from their texts (docs/reference/answered.md). Gaps are not
// fitted on them, because they would then be found in hardly any judged case in English.
var questions = []string{"en_wiki", "en_covid"}

// judged are the cases of the evaluation data and of the repository, except those that are kept for tests.
var judged = []string{"judge_ja", "judge_en", "own"}

func pools(t testing.TB, sets ...string) (out []*pool) {
	if *poolsDir == "" {
		t.Skip("only with -pools")
	}
	for _, set := range sets {
		f, err := os.Open(filepath.Join(*poolsDir, set+".jsonl"))
		if err != nil {
			t.Fatal(err)
		}
		in := bufio.NewScanner(f)
		in.Buffer(nil, 1<<22)
		for in.Scan() {
			p := new(pool)
			if err := json.Unmarshal(in.Bytes(), p); err != nil {
				t.Fatal(err)
			}
			if p.r, err = read(t.Context(), &p.Input); err != nil {
				t.Fatal(err)
			}
			p.judge()
			out = append(out, p)
		}
		if in.Err() != nil {
			t.Fatal(in.Err())
		}
		f.Close()
	}
	return out
}

// judge marks the units that answer: those that contain an answer or, if answers are long, consist mostly of its words.
func (p *pool) judge() {
	p.right = make([]bool, len(p.r.units))
	for i := range p.r.units {
		p.right[i] = p.answers(p.r.units[i].text)
	}
}

func (p *pool) answers(s string) bool {
	norm := strings.ReplaceAll(text.Fold(s), " ", "")
	for _, a := range p.Answers {
		a = text.Fold(a)
		if strings.HasPrefix(p.Set, "en") && p.exact() && len(strings.Fields(a)) <= 8 {
			if strings.Contains(wordsOf(s), wordsOf(a)) {
				return true
			}
			continue
		}
		if strings.HasPrefix(p.Set, "ja") {
			if strings.Contains(norm, strings.ReplaceAll(a, " ", "")) {
				return true
			}
			continue
		}
		words, have, held := map[string]bool{}, 0, 0
		for _, w := range strings.Fields(a) {
			words[strings.Trim(w, ".,;:()'\"")] = true
		}
		for _, w := range strings.Fields(text.Fold(s)) {
			if w = strings.Trim(w, ".,;:()'\""); len(w) > 3 && !text.EnglishStop(w) {
				have++
				if words[w] {
					held++
				}
			}
		}
		if have >= 3 && float64(held) >= 0.6*float64(have) {
			return true
		}
	}
	return false
}

// wordsOf returns the words of a text, each with a space before and after it.
func wordsOf(s string) string {
	return " " + strings.Join(strings.FieldsFunc(text.Fold(s), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsNumber(r)
	}), " ") + " "
}

// exact reports whether the answers of the set are quoted from its texts. For other sets, the right section is enough.
func (p *pool) exact() bool {
	return slices.Contains([]string{"ja_jsquad", "ja_jaquad", "en_wiki", "en_covid"}, p.Set)
}

// judged reports whether the pool is a case rather than a query of a set.
func (p *pool) judged() bool { return p.Kind != "" }

func (p *pool) relevant(n int) bool { return slices.Contains(p.Relevant, n) }

func (p *pool) inFive() bool {
	return slices.ContainsFunc(p.Relevant, func(n int) bool { return n < 5 })
}

// shown reports whether the chosen unit answers, in the form in which it is shown.
func (p *pool) shown(c *choice) bool {
	if c.unit < 0 {
		return false
	}
	if p.exact() {
		return p.answers(p.r.excerpt(c.unit))
	}
	return p.relevant(p.r.units[c.unit].section)
}

// domains are the domains of the judged cases, by prefixes of the first manual's id.
var domains = []struct {
	name    string
	manuals string
}{
	{"transport", "rail ferry bus tour station midland-lines aerovale"},
	{"university", "handbook lang-center faculty intl grad shogaku campus exam-office " +
		"gakusoku lab-rules research library facility uni-kestrel"},
	{"staff", "hr- payroll keihi maternity"},
	{"warehouse", "client-guide wh- pack-guide cold-manual dock-guide contract corvane-dc"},
	{"appliances", "rc-manual ac-manual mw-manual rf-manual hb-manual hm-manual ap-manual " +
		"drylux spulmax mikra lavello baristella casserina robbo"},
	{"hospital", "northmoor hosp nurse record ostrin"},
	{"housing", "mansion lease larchfield"},
	{"city", "city waste park hoiku resident winter meteo waterworks streets traffic treasury"},
	{"service", "admin user pricing company desk"},
	{"programs", "api error ops sdk coinlane parcelgrid"},
}

// domain returns the domain of a case. Cases of the repository have no certain one.
func (p *pool) domain() string {
	for _, d := range domains {
		for _, m := range strings.Fields(d.manuals) {
			if strings.HasPrefix(p.Evidences[0].ManualID, m) && p.Set != "own" {
				return d.name
			}
		}
	}
	return p.Set
}

// names reports whether a term belongs to a gap that the case expects.
func (p *pool) names(term string) bool {
	return slices.ContainsFunc(p.Gaps, func(g string) bool {
		return strings.Contains(term, g) || strings.Contains(strings.ToLower(g), term)
	})
}

// group returns the set of a pool, or the domain of a judged case.
func (p *pool) group() string {
	if p.judged() {
		return p.domain()
	}
	return p.Set
}

// fittedOn reports whether weights are fitted on the pool.
func (p *pool) fittedOn() bool { return p.judged() || !p.Odd }

// answerable reports whether the pool is a query of a set whose evidence was found.
func (p *pool) answerable() bool { return !p.judged() && p.Foreign == "" && p.inFive() }

func BenchmarkPools(b *testing.B) {
	ps := pools(b, "ja_jaquad", "en_doc2dial", "en_anthropic_docs")
	for i := 0; b.Loop(); i++ {
		if _, err := Judge(b.Context(), &ps[i%len(ps)].Input); err != nil {
			b.Fatal(err)
		}
	}
}
