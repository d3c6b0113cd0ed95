package judge

import "strings"

// cue is a part of a sentence that tells what the sentence does.
type cue struct {
	text  string
	pairs pairs
}

// pairs is a sieve of the pairs of neighbouring bytes of a text: a text holds only
// what has no other pairs than its own. Of the hundreds of cues that a sentence is
// looked through for, that leaves few to be searched for.
type pairs [4]uint64

func pairsOf(s string) (p pairs) {
	for i := 1; i < len(s); i++ {
		h := s[i-1]*37 ^ s[i]
		p[h>>6] |= 1 << (h & 63)
	}
	return p
}

// sift makes the sieve of a sentence, and notes whether it has a digit.
func (s *sentence) sift() {
	var p pairs
	var digit, last byte
	for i := range len(s.norm) {
		c := s.norm[i]
		if c-'0' < 10 {
			digit = 1
		}
		if i > 0 {
			h := last*37 ^ c
			p[h>>6] |= 1 << (h & 63)
		}
		last = c
	}
	s.pairs, s.digits = p, digit != 0
}

// holds reports whether every pair of q is one of p.
func (p *pairs) holds(q *pairs) bool {
	return q[0]&^p[0]|q[1]&^p[1]|q[2]&^p[2]|q[3]&^p[3] == 0
}

func cues(list ...string) []cue {
	out := make([]cue, len(list))
	for i, c := range list {
		out[i] = cue{c, pairsOf(c)}
	}
	return out
}

// has reports whether the sentence holds one of the cues.
func (s *sentence) has(list []cue) bool { return s.hasIn(s.norm, list) }

// hasIn reports whether a part of the sentence holds one of the cues.
func (s *sentence) hasIn(part string, list []cue) bool {
	for i := range list {
		if c := &list[i]; s.pairs.holds(&c.pairs) && strings.Contains(part, c.text) {
			return true
		}
	}
	return false
}

// lastCue is where the last of the cues stands in a part of the sentence; of those
// that end together, the longest.
func (s *sentence) lastCue(part string, list []cue) (start, end int) {
	start, end = -1, -1
	for k := range list {
		c := &list[k]
		if !s.pairs.holds(&c.pairs) {
			continue
		}
		if i := lastIndex(part, c.text); i >= 0 && (i+len(c.text) > end || i+len(c.text) == end && i < start) {
			start, end = i, i+len(c.text)
		}
	}
	return start, end
}

// lastIndex is strings.LastIndex, faster for what occurs once or not at all.
func lastIndex(s, cue string) int {
	at := strings.Index(s, cue)
	for next := at; next >= 0; {
		if next = strings.Index(s[at+1:], cue); next >= 0 {
			at += 1 + next
		}
	}
	return at
}
