package audit

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Keys whose values name other objects. sure keys always do if the value looks like an id; likely
// keys only in a file in which one of their values is an id.
var (
	sure = []string{
		"next", "prev", "previous", "parent", "children", "ref", "refs", "depends_on", "dependson",
		"requires", "goto", "go_to", "next_id", "parent_id", "ref_id", "next_ids", "child_ids",
		"blocks", "blocked_by", "次", "親", "子", "参照", "遷移先", "相互参照", "two_way", "mutual",
	}
	likely = []string{
		"to", "from", "target", "source", "then", "else", "yes", "no", "on", "see", "see_also",
		"related", "references", "links", "start", "initial", "end", "default", "fallback",
		"transitions", "edges", "successors", "predecessors", "前", "後", "はい", "いいえ", "関連",
	}
	// forward keys lead on in a flow; children only lie within their parent.
	forward = []string{
		"next", "next_id", "next_ids", "goto", "go_to", "to", "target", "then", "else", "yes", "no",
		"default", "fallback", "transitions", "successors", "次", "遷移先", "はい", "いいえ", "後",
	}
	// inverse keys return each other's links where a file uses both.
	inverse = map[string][]string{
		"next": {"prev", "previous"}, "children": {"parent"}, "child_ids": {"parent_id"},
		"blocks": {"blocked_by"}, "子": {"親"},
		"successors": {"predecessors"}, "次": {"前"},
		"prev": {"next"}, "previous": {"next"}, "parent": {"children"}, "parent_id": {"child_ids"},
		"blocked_by": {"blocks"}, "親": {"子"},
		"predecessors": {"successors"}, "前": {"次"},
	}
	mutual = []string{"two_way", "mutual", "相互参照"}
	// noID lists values that name no object.
	noID = []string{"", "-", "none", "null", "end", "stop", "exit", "done", "finish", "start", "終了", "完了", "なし"}
)

// point records the strings and numbers of a member that may name objects, including those in an
// array or one object deep.
func (d *document) point(owner int, in *around, m member) {
	key := strings.ToLower(m.name)
	if key == "id" {
		return
	}
	note := func(v *value) {
		if to := v.scalar(); to != "" {
			d.pointed = append(d.pointed, pointed{from: owner, key: key, to: to, line: v.line, around: in})
		}
	}
	note(m.value)
	mapped := m.is('{') && m.get("id") == nil && isLinkKey(key)
	for _, inner := range m.members {
		if m.is('[') || mapped && !isLinkKey(strings.ToLower(inner.name)) {
			note(inner.value)
		}
	}
}

func isLinkKey(key string) bool {
	return slices.Contains(sure, key) || slices.Contains(likely, key) || isTransition(key)
}

// isTransition reports whether a key says when or where a flow continues, such as on_timeout,
// escalate_to and if_missing.
func isTransition(key string) bool {
	return strings.HasPrefix(key, "on_") || strings.HasPrefix(key, "if_") || strings.HasPrefix(key, "next_") ||
		strings.HasSuffix(key, "_to") || strings.HasSuffix(key, "_next")
}

func leadsOn(key string) bool { return slices.Contains(forward, key) || isTransition(key) }

// resolve finds out which values are references, and adds them.
func (d *document) resolve() {
	d.keys = map[string]bool{}
	for _, p := range d.pointed {
		if at, ok := d.byID[p.to]; ok && at != p.from && isLinkKey(p.key) {
			d.keys[p.key] = true
		}
	}
	d.pointed = slices.DeleteFunc(d.pointed, func(p pointed) bool { return !d.refers(p) })
	d.links, d.starts = map[link]bool{}, map[string]bool{}
	for _, p := range d.pointed {
		if at, ok := d.byID[p.to]; ok {
			d.links[link{p.from, at, p.key}], d.links[link{p.from, at, ""}] = true, true
		}
		d.starts[p.to] = d.starts[p.to] || p.key == "start" || p.key == "initial"
	}
	for _, p := range d.pointed {
		r := Reference{To: p.to, Line: p.line}
		if p.from >= 0 {
			r.From = d.objects[p.from].id
		}
		at, ok := d.byID[p.to]
		r.Missing = !ok
		r.Unreturned = ok && p.from >= 0 && !d.returned(p, at)
		d.to.References = append(d.to.References, r)
	}
}

// refers reports whether a value names an object, or should.
func (d *document) refers(p pointed) bool {
	_, known := d.byID[p.to]
	switch {
	case !isLinkKey(p.key):
		return false
	case known:
		return true
	case slices.Contains(noID, strings.ToLower(p.to)) || !looksLikeID(p.to):
		return false
	}
	return d.keys[p.key] || slices.Contains(sure, p.key)
}

func looksLikeID(text string) bool {
	return utf8.RuneCountInString(text) <= 40 && !strings.ContainsFunc(text, func(r rune) bool {
		return unicode.IsSpace(r) || strings.ContainsRune("。、,/#", r)
	})
}

// returned reports whether a link that is declared to go both ways does: by a
// mark on it, or by a key whose inverse the file uses too.
func (d *document) returned(p pointed, to int) bool {
	back := inverse[p.key]
	uses := slices.ContainsFunc(back, func(key string) bool { return d.keys[key] })
	marked := p.around.both || slices.Contains(mutual, p.key)
	if !uses && !marked {
		return true
	}
	return marked && d.links[link{to, p.from, ""}] ||
		slices.ContainsFunc(back, func(key string) bool { return d.links[link{to, p.from, key}] })
}
