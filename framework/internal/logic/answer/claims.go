package answer

import (
	"cmp"
	"slices"

	"github.com/sagasu-search/sagasu/framework/internal/logic/code"
	"github.com/sagasu-search/sagasu/framework/internal/logic/evidence"
	"github.com/sagasu-search/sagasu/framework/internal/logic/rule"
	"github.com/sagasu-search/sagasu/sdk/x/lazyregexp"
)

// Sort is what a claim says.
type Sort string

// The sorts of claims.
const (
	Condition  Sort = "condition"  // where the logic branches
	Outcome    Sort = "outcome"    // what is returned, or the state that is given
	Failure    Sort = "failure"    // where the logic fails
	Constraint Sort = "constraint" // a limit, a constant, what is required
)

// Claim is a statement that one line of fresh evidence backs.
type Claim struct {
	Sort Sort
	Kind evidence.Kind
	Path string
	Line int
	Text string // in the question's language; code and specifications stay as written

	item   int  // of the evidence
	quoted bool // it is a line as it stands
}

// Bounds of an answer.
const (
	maxClaims  = 12
	maxPerItem = 4
)

// nearBest is the share of the best relevance of its kind below which an item is left out,
// unless its relevance is high all the same.
const nearBest = .5

// likely is the relevance from which the best item of a kind is used whatever words it holds.
const likely = .5

// claims reads the statements of all evidence: of each item those that the
// question asks for most, at least one, in the order of the evidence.
func claims(question string, passages []passage) []Claim {
	say, asked, wanted := wordingOf(question), rule.Read(question), intent(question)
	all, seen := []Claim{}, map[string]bool{}
	items := relevantClaims(passages, say, asked)
	for n, read := range items {
		slices.SortStableFunc(read, func(a, b Claim) int {
			return cmp.Compare(b.score(asked, wanted), a.score(asked, wanted))
		})
		for i, c := range read {
			key := c.Path + " " + c.Text
			chosen := i == 0 || !c.quoted && i < maxPerItem && len(all) < maxClaims-(len(items)-n-1)
			if chosen && !seen[key] {
				seen[key] = true
				all = append(all, c)
			}
		}
	}
	slices.SortStableFunc(all,
		func(a, b Claim) int { return cmp.Or(cmp.Compare(a.item, b.item), cmp.Compare(a.Line, b.Line)) })
	return all
}

// relevantClaims returns the statements of the items that are used: those about the question,
// and of the others those near the best of their kind that share a word with it. Of a kind
// without such an item the best is used if it is likely. Where no item shares a word, all near
// the best are used.
func relevantClaims(passages []passage, say wording, asked rule.Words) [][]Claim {
	best, onTopic := map[evidence.Kind]evidence.Score{}, map[evidence.Kind]bool{}
	for _, m := range passages {
		best[m.Kind] = max(best[m.Kind], m.Relevance)
	}
	var near []readItem
	for item := range passages {
		m := &passages[item]
		if m.Relevance < min(evidence.HighRelevance, nearBest*best[m.Kind]) {
			continue
		}
		r := readItem{m, m.claims(say), m.Relevance >= evidence.HighRelevance ||
			shared(asked, m.Path+" "+m.Excerpt) > 0}
		for i := range r.claims {
			r.claims[i].item = item
			r.onTopic = r.onTopic || shared(asked, r.claims[i].Text) > 0
		}
		near, onTopic[m.Kind] = append(near, r), onTopic[m.Kind] || r.onTopic
	}
	all, used := [][]Claim{}, [][]Claim{}
	for _, r := range near {
		all = append(all, r.claims)
		if r.onTopic || !onTopic[r.Kind] && r.Relevance >= max(likely, best[r.Kind]) {
			used = append(used, r.claims)
		}
	}
	if !onTopic[evidence.Code] && !onTopic[evidence.Spec] {
		return all
	}
	return used
}

// readItem is an item with its statements.
type readItem struct {
	*passage
	claims  []Claim
	onTopic bool // it is about the question, or shares a word with it
}

// shared returns how many ideas of a question a text speaks of.
func shared(asked rule.Words, text string) int {
	n := 0
	for word := range rule.Read(text) {
		if asked[word] {
			n++
		}
	}
	return n
}

// score returns how well a claim answers a question.
func (c Claim) score(asked rule.Words, wanted Sort) int {
	n := shared(asked, c.Text)
	if c.Sort == wanted {
		n += 2
	}
	return n
}

// claims reads the statements of one item.
func (m *passage) claims(say wording) []Claim {
	if m.Kind == evidence.Spec {
		return m.specClaims(say)
	}
	if m.unit < 0 {
		return []Claim{m.quote(m.line, say)}
	}
	u := m.code.Units[m.unit]
	all := slices.Concat(m.failures(u, say), m.outcomes(u, say))
	if len(all) < maxPerItem {
		all = append(all, m.conditions(u, say, all)...)
	}
	if last, ok := m.last(u, say, all); ok && len(all) > 0 {
		all = append(all, last)
	}
	if len(all) == 0 {
		all = m.steps(u, say)
	}
	if all = append(all, m.constants(u, say)...); len(all) == 0 {
		all = m.quotes(u.First, u.Last, say)
	}
	return all
}

func (m *passage) claim(sort Sort, line int, text string) Claim {
	return Claim{Sort: sort, Kind: m.Kind, Path: m.Path, Line: line, Text: text}
}

// wordy is a line that says something: three letters in a row, or two of Japanese.
var wordy = lazyregexp.New(`[\p{Latin}]{3}.*[\p{Latin}\d]{3}|[\p{Han}\p{Hiragana}\p{Katakana}]{2}`)

// quotes returns the lines of a unit as they stand, where nothing can be read; an answer
// states one of them. Headings and what opens a block say too little.
func (m *passage) quotes(first, last int, say wording) []Claim {
	all := []Claim{}
	for n := max(first, 1); n <= min(last, len(m.lines)); n++ {
		if line := folded(m.lines[n-1]); wordy().MatchString(line) && line[0] != '#' {
			all = append(all, m.quote(n, say))
		}
	}
	if len(all) == 0 {
		all = append(all, m.quote(m.line, say))
	}
	return all
}

func (m *passage) quote(line int, say wording) Claim {
	c := m.claim(Constraint, line, say.quoted(clipped(folded(m.lines[line-1]))))
	c.quoted = true
	return c
}

func (m *passage) name(u code.Unit) string { return cmp.Or(u.Qualified, u.Name, m.Path) }

// specClaims returns the statements that bind, and what follows in scenarios.
func (m *passage) specClaims(say wording) []Claim {
	all := []Claim{}
	for _, u := range m.specs {
		if !u.Obliges() {
			all = append(all, m.claim(Constraint, u.First, say.removed(u.Name)))
			continue
		}
		for _, s := range u.Statements {
			all = append(all, m.claim(Constraint, s.Line, say.required(u.Name, s.Text)))
		}
	}
	if len(all) > 0 {
		return all
	}
	first, last := m.line, m.line
	for _, u := range m.specs {
		first, last = min(first, u.First), max(last, u.Last)
	}
	return m.quotes(first, last, say)
}
