package judge

import "github.com/sagasu-search/sagasu/sdk/x/refer"

// follow adds an edge where the text of a claim points elsewhere for what the claim
// lacks: the claim itself, what stands beside it, and as long as the claim is not
// plainly supported, what the best others of its manual say on it.
func (b *builder) follow(k int) {
	wanted, own := b.sentences[b.stood[k]].near, b.stood[k]
	settled := b.settled(k)
	for n := 0; n < len(b.evidences) && !b.stopped(); n++ {
		p := &b.places[n]
		home := n == b.sentences[own].evidence
		if !home && (settled || n >= firm || b.evidences[n].ManualID != b.evidences[b.sentences[own].evidence].ManualID || !b.q.about(p.text)) {
			continue
		}
		for i := p.from; i < p.to; i++ {
			if home && i != own && !b.beside(own, i) && (settled || !b.bears(i, wanted)) || !home && (b.outdated(n) || !b.sentences[i].has(refers) || !b.bears(i, wanted)) {
				continue
			}
			s := &b.sentences[i]
			if pointers := refer.Pointers(s.source, s.norm); len(pointers) > 0 && b.pointed(k, i, pointers, home) {
				break
			}
		}
	}
}

// settled reports whether a claim is supported and nothing contradicts it.
func (b *builder) settled(k int) bool {
	id, supported := b.graph.Claims[k].ID, false
	for _, e := range b.graph.Edges {
		if e.From == id && e.Relation == Contradicts {
			return false
		}
		supported = supported || e.From == id && e.Relation == Supports
	}
	return supported
}

// beside reports whether a sentence goes on from a claim only to point on.
func (b *builder) beside(own, i int) bool {
	s := &b.sentences[i]
	return i == own+1 && s.follows && s.has(refers)
}

// refers are said of a place where more stands.
var refers = cues("参照", "ご覧", "詳しくは", "詳細は", "従い", "従って", "のとおり", "の通り", "see ", "refer to", "described in", "listed in", "explained in", "according to", "details")

// bears reports whether a sentence, or the one before it, says something on a claim.
func (b *builder) bears(i int, wanted uint64) bool {
	said := b.sentences[i].terms
	if b.sentences[i].follows {
		said |= b.sentences[i-1].terms
	}
	return said&wanted != 0 && b.q.about(b.sentences[i].near)
}

// pointed adds the edge of the first pointer that leads to another section of the
// same manual, a link also of another one. In the claim's own text one that cannot be resolved is told as well.
// It reports whether there was one.
func (b *builder) pointed(k, at int, pointers []refer.Pointer, home bool) bool {
	n := b.sentences[at].evidence
	if b.in.Resolve != nil {
		for i := range pointers {
			target, ok := b.in.Resolve(n, pointers[i])
			if ok && target != b.evidences[n].ref() && (target.ManualID == b.evidences[n].ManualID || pointers[i].Kind == refer.Link) {
				e := b.edge(k, at, RequiresFollowup, 1)
				e.Pointer, e.Target = &pointers[i], &target
				return true
			}
		}
	}
	if !home {
		return false
	}
	b.edge(k, at, RequiresFollowup, 0.5).Pointer = &pointers[0]
	return true
}
