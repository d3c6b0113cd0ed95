package judge

import (
	"math/bits"

	"github.com/sagasu-search/sagasu/sdk"
)

// gaps finds what the query asks for and no evidence gives: terms that no text
// holds, and forms of answer (a period, an amount …) that no text on the subject has.
func (r *reader) gaps() []Gap {
	out := []Gap{}
	if len(r.evidences) == 0 {
		return out
	}
	missing := r.lacking()
	for _, t := range r.q.terms { // what names a need is judged by the need
		if !t.named && !r.q.numbers(t.text) && !r.supported(t) && !r.q.verb(t.text) && !r.q.kind(t.text) && r.absent(t) {
			missing = append(missing, t.text)
		}
	}
	if len(missing) == 0 && r.scattered() {
		missing = []string{r.q.lone}
	}
	if len(missing) > 0 {
		out = append(out, Gap{Facet: r.q.intent, Missing: missing})
	}
	for _, n := range r.q.needs {
		if !r.given(n) {
			out = append(out, r.needGap(n))
		}
	}
	return out
}

// supported reports whether some evidence holds the whole of a term.
func (r *reader) supported(t asked) bool {
	for n := range r.places {
		if r.places[n].text&t.pieces == t.pieces {
			return true
		}
	}
	return false
}

// given reports whether a sentence on the subject has the form that is needed.
func (r *reader) given(n *need) bool {
	if n.facet == sdk.IntentProcedure {
		for i := range r.evidences {
			if r.speaksOf(i) && r.instructs(i) {
				return true
			}
		}
	}
	for i := range r.sentences {
		s := &r.sentences[i]
		if s.kind == asks || !r.onSubject(i) {
			continue
		}
		if n.met(s) || n.names(s.norm) && s.has(refers) && points(s) { // it stands where the text points
			return true
		}
	}
	return false
}

// onSubject reports whether a sentence stands in a text on the query's subject
// and near one of its words.
func (r *reader) onSubject(i int) bool {
	if len(r.q.pieces) == 0 {
		return true
	}
	return r.speaksOf(r.sentences[i].evidence) && r.sentences[i].near != 0
}

// speaksOf reports whether an evidence is on the query's subject: it holds half of
// those of its words that any evidence holds.
func (r *reader) speaksOf(n int) bool {
	known := r.known()
	return known != 0 && bits.OnesCount64(r.places[n].text)*2 >= bits.OnesCount64(known)
}

// names reports whether a term says what the need is, unlike one that names another need.
func (n *need) names(term string) bool { return containsAny(term, n.words) }

func (r *reader) needGap(n *need) Gap {
	g := Gap{Facet: r.q.intent, Need: n.name, Missing: []string{}}
	if n.facet != "" {
		g.Facet = n.facet
	}
	for _, t := range r.q.terms {
		switch {
		case questioning[t.text]:
		case t.named && n.names(t.text):
			g.Missing = append(g.Missing, t.text)
		default:
			g.About = append(g.About, t.text)
		}
	}
	if len(g.Missing) == 0 {
		g.Missing = append(g.Missing, n.wording(r.q.norm))
	}
	return g
}
