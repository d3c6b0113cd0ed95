package text

// edit replaces bytes [start, end) of the first pass's output. An edit with an empty form belongs
// to the character before it.
type edit struct {
	start, end int
	form       string
}

// pass is the second pass: rules that need to see a character's neighbours.
type pass struct {
	s     []byte
	done  int // cues before this offset are done
	edits []edit
}

func (n *normalizer) edits() []edit {
	p := pass{s: n.out}
	for _, cue := range n.cues {
		if cue >= p.done {
			p.visit(cue)
		}
	}
	return p.edits
}

func (p *pass) visit(i int) {
	switch string(p.s[i:min(i+kanaSize, len(p.s))]) {
	case longVowel, "ヴ", "ァ", "ィ", "ェ", "ォ", "ヤ":
		p.katakana(i)
	case "第":
		p.roman(i + len("第"))
	case "月", "所", "年":
		p.counterKa(i)
	default:
		p.number(i)
	}
}

// replace records an edit, unless a combining mark follows the text it would replace.
func (p *pass) replace(start, end int, form string) {
	if extends(string(p.s[end:min(end+4, len(p.s))])) == 0 && string(p.s[start:end]) != form {
		p.edits = append(p.edits, edit{start, end, form})
	}
}

// apply applies the edits and adjusts offsets and humps.
func (n *normalizer) apply(edits []edit) {
	a := applier{normalizer: n, from: n.out, old: n.offsets}
	n.out, n.offsets.spans = make([]byte, 0, len(n.out)), make([]span, 0, len(a.old.spans)+2*len(edits))
	at := 0
	for len(edits) > 0 {
		start, end, count := a.block(edits)
		a.keep(at, start)
		a.rewrite(start, end, edits[:count])
		at, edits = end, edits[count:]
	}
	a.keep(at, len(a.from))
	n.offsets.out = len(n.out)
	if n.track {
		n.humps = a.humps
	}
}

type applier struct {
	*normalizer
	from  []byte
	old   offsets
	humps []int
	next  int // first hump of the old text not yet moved
}

// block returns the range of whole units that the first count edits touch. The range becomes one
// unit.
func (a *applier) block(edits []edit) (start, end, count int) {
	start, end = a.units(edits[0])
	for count = 1; count < len(edits); count++ {
		s, e := a.units(edits[count])
		if s >= end {
			break
		}
		end = max(end, e)
	}
	return start, end, count
}

func (a *applier) units(e edit) (start, end int) {
	start = e.start
	if e.form == "" {
		start = e.start - kanaSize
	}
	if !a.track {
		return start, e.end
	}
	return a.old.widen(start, e.end)
}

// keep copies the units in [start, end).
func (a *applier) keep(start, end int) {
	if start == end {
		return
	}
	shift := len(a.out) - start
	if a.track {
		a.keepSpans(start, end, shift)
	}
	hump := a.normalizer.humps
	for ; a.next < len(hump) && hump[a.next] < end; a.next++ {
		if hump[a.next] >= start {
			a.humps = append(a.humps, hump[a.next]+shift)
		}
	}
	a.out = append(a.out, a.from[start:end]...)
}

func (a *applier) keepSpans(start, end, shift int) {
	for k := a.old.at(start); k < len(a.old.spans) && a.old.spans[k].out < end; k++ {
		s := a.old.spans[k]
		if s.out < start {
			s.src, s.out = a.old.source(start), start
		}
		s.out += shift
		a.offsets.spans = append(a.offsets.spans, s)
	}
}

// rewrite writes the units in [start, end) with the edits inside them, as one unit.
func (a *applier) rewrite(start, end int, edits []edit) {
	if a.track {
		a.offsets.fused(len(a.out), a.old.source(start))
	}
	for _, e := range edits {
		a.out = append(append(a.out, a.from[start:e.start]...), e.form...)
		start = e.end
	}
	a.out = append(a.out, a.from[start:end]...)
}
