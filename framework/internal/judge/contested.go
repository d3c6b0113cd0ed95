package judge

import (
	"math/bits"
	"slices"
	"strings"
)

// bearer is a sentence that bears on the query, as far as a quick look tells
// whether another one may contradict it.
type bearer struct {
	sentence int
	words    uint64 // the sieve of its words
	denying  bool
	denies   bool // it may deny, waive, except, or take the second side of a pair in poles
	answers  bool // it may answer a query of yes or no
}

// bearer looks at a sentence; asked is what its answer would have to hold, 0 where
// the query asks for no yes or no.
func (r *reader) bearer(i int, asked uint64) bearer {
	s := &r.sentences[i]
	b := bearer{sentence: i, words: sieve(r.wordsOf(s)), denying: s.has(denying)}
	b.denies = b.denying || s.has(alsoDenying)
	b.answers = asked != 0 && r.onPoint(&statement{sentence: i, terms: s.terms, near: s.near}, asked)
	return b
}

// contested appends the stances of the sentences that share a word with one that
// denies, as far as another one may contradict them or they answer what is asked.
func (r *reader) contested(all []bearer) []statement {
	var deniers []uint64
	for i := range all {
		if all[i].denying {
			deniers = append(deniers, all[i].words)
		}
	}
	all = slices.DeleteFunc(all, func(b bearer) bool {
		return r.stopped() || !slices.ContainsFunc(deniers, func(d uint64) bool { return d&b.words != 0 })
	})
	var against []statement
	for i := range all {
		if all[i].denies {
			against = r.stancesOf(against, all[i].sentence)
		}
	}
	var out []statement
	for i, k := 0, 0; i < len(all) && !r.stopped(); i++ {
		first := k
		for k < len(against) && against[k].sentence == all[i].sentence {
			k++
		}
		switch {
		case first < k:
			out = append(out, against[first:k]...)
		case all[i].answers || r.mayOppose(against, &all[i]):
			out = r.stancesOf(out, all[i].sentence)
		}
	}
	return out
}

// mayOppose is what clashes asks at least of one of some stances and a sentence.
func (r *reader) mayOppose(against []statement, b *bearer) bool {
	s := &r.sentences[b.sentence]
	for i := range against {
		a := &against[i]
		shared := a.bits & b.words
		if shared == 0 || a.terms&s.terms == 0 || a.near&^s.near != 0 && s.near&^a.near != 0 || bits.OnesCount64(shared) < 2 && bits.OnesCount64(a.bits) > fewWords {
			continue
		}
		if a.stance.negative() && r.sentences[a.sentence].evidence != s.evidence {
			return true
		}
	}
	return false
}

// denying are the least that a denial, a waiver or an exception holds.
var denying = cues("ませ", "ない", "不", "外", "禁", "除", "断", "未対応", "ご遠慮", "任意", "無料", "無償", "無効", "オフ", "休業", "休", "定休", "閉", "抜", "別", "なし", "手動", "免除", "おらず", "せず", "ずに", "要り", "応じかね", "no ", "not ", "n't ", "cannot", "never ", "exclud", "except", "prohibited", "forbidden",
	"unavailable", "ineligible", "unsupported", "optional", "voluntary", "disabled", "closed", "closes ", "free ", " free", "voluntar", "no charge", " off", "without ", "welcome", "refus", "reject", "banned", "impossible", "separate", "extra", "waived", "exempt", "no need", "unnecessary", "manual", "complimentary", "other than ", "apart from ")

// alsoDenying are the cues that deny, waive or take a second side and hold none of denying.
var alsoDenying = func() (out []cue) {
	all := slices.Concat(denialsJa, waivesJa, cues("ではなく"))
	for i := range poles {
		all = append(all, poles[i].no...)
	}
	return slices.DeleteFunc(all, func(c cue) bool {
		return slices.ContainsFunc(denying, func(d cue) bool { return strings.Contains(c.text, d.text) })
	})
}()
