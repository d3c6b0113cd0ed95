package judge

import "strings"

// Cues of a denial that is an order: what is forbidden may at the same time be
// demanded, and the two contradict each other.
var (
	forbidsJa = cues("てはなら", "てはなりません", "てはいけ", "ないでください", "禁止", "禁じ", "お断り", "ご遠慮", "控えてください", "お控えください", "しないこと")
	forbidsEn = cues("must not ", "mustn't ", "may not ", "shall not ", "cannot ", "can not ", "can't ", "never ", "not allowed", "not permitted", "prohibited", "forbidden", "banned")
)

// forbidding reports whether the denial that starts at start is an order: by its
// cue, or as the first word of its clause (do not …).
func forbidding(s *sentence, norm string, start int) bool {
	before := strings.Trim(norm[:start], " ,")
	return s.hasIn(norm[start:], forbidsEn) || before == "" || before == "please"
}

// demandingEn stand right before what is demanded.
var demandingEn = [...]string{"must ", "must always ", "must be ", "shall ", "have to ", "has to ", "have to be ", "has to be ", "need to ", "needs to ", "need to be ", "needs to be ", "required to ", "required to be ", "obliged to "}

// demands reports whether a stance demands what another one forbids.
func demands(s *sentence, st, no *stance) bool {
	if !no.forbids || !st.duty || st.denies {
		return false
	}
	demand, _ := s.lastCue(st.text, demandsJa)
	if demand >= 0 {
		what, verb := predicateJa(s.norm, st.clause, demand)
		return what != 0 && what == no.predicate && len(verb) <= farthestDemand
	}
	for _, w := range st.clause.words {
		if w.id == no.predicate || no.predicate == 0 && repeated(no.clause.words, w.id) {
			if endsIn(s.norm[st.clause.start:w.start], demandingEn[:]) {
				return true
			}
		}
	}
	return false
}

// farthestDemand bounds the bytes of what is demanded, up to the demand.
const farthestDemand = 12 * kanjiBytes
