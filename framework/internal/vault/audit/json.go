package audit

import (
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// document is a JSON text that is being read into an artifact.
type document struct {
	to      *Artifact
	objects []object
	byID    map[string]int // id → place in objects
	pointed []pointed
	links   map[link]bool
	starts  map[string]bool // ids that the file names as its start
	keys    map[string]bool // keys whose values are known to be ids
}

// link is a link between places in objects by a key; one without a key stands for a link by any.
type link struct {
	from, to int
	key      string
}

// object is an object with an id.
type object struct {
	*value
	id      string
	element int
	group   *value // the array or object that it is listed in
	holds   bool   // it has objects with ids in it
}

// pointed is a value that may name an object.
type pointed struct {
	from   int    // place in objects, -1 for none
	key    string // in lower case
	to     string
	line   int
	around *around
}

// around is what the links of an object or array need of it.
type around struct {
	both  bool   // it declares them to go both ways
	joins bool   // it is an edge between two objects
	from  string // the id of the first of these
}

// readJSON adds the objects of a JSON text.
func readJSON(to *Artifact, src string) {
	root, problem := parseJSON(src)
	if problem != nil {
		to.Problems = append(to.Problems, *problem)
	}
	d := document{to: to, byID: map[string]int{}}
	if root != nil {
		d.visit(root, nil, -1)
	}
	d.judge()
	d.resolve()
	to.Flows = append(to.Flows, d.flows()...)
}

// visit adds the objects in a value. owner is the nearest object around it.
func (d *document) visit(v *value, group *value, owner int) {
	if v.is('[') {
		for _, item := range v.members {
			d.visit(item.value, v, owner)
		}
		return
	}
	if id := v.get("id").scalar(); id != "" {
		if owner >= 0 {
			d.objects[owner].holds = true
		}
		owner = d.add(v, id, group)
	}
	in := &around{
		both:  v.truth("two_way", "bidirectional", "mutual", "双方向"),
		joins: joins(v), from: v.get("from").scalar() + v.get("source").scalar(),
	}
	for _, m := range v.members {
		if m.name == "source_lines" {
			d.cite(owner, m.value)
			continue
		}
		d.point(owner, in, m)
		d.visit(m.value, v, owner)
	}
}

func (d *document) add(v *value, id string, group *value) int {
	at := len(d.objects)
	d.objects = append(d.objects, object{value: v, id: id, element: len(d.to.Elements), group: group})
	if _, taken := d.byID[id]; !taken {
		d.byID[id] = at
	}
	d.to.Elements = append(d.to.Elements, Element{Kind: Object, ID: id, Text: titleOf(v), Says: says(v), Line: v.line})
	return at
}

// says returns the texts of an object that are not part of its structure, one per line.
func says(v *value) string {
	var b strings.Builder
	for _, m := range v.members {
		if m.is('"') && m.name != "source_lines" && !slices.Contains(structure, strings.ToLower(m.name)) {
			b.WriteString(m.text + "\n")
		}
	}
	return b.String()
}

var titles = []string{"label", "title", "name", "text", "summary", "ラベル", "名称", "タイトル"}

func titleOf(v *value) string {
	for _, name := range titles {
		if text := v.get(name).scalar(); text != "" {
			return text
		}
	}
	return ""
}

// cite adds source_lines to the object that it belongs to.
func (d *document) cite(owner int, v *value) {
	var owners []int
	if owner >= 0 {
		owners = []int{d.objects[owner].element}
	}
	if cited := linesOf(v); !cited.empty() {
		d.to.give(owners, cited, v.line)
	}
}

// linesOf reads source_lines: a string, a number, or an array of lines,
// strings, arrays and objects with a start and an end.
func linesOf(v *value) (c Citation) {
	switch v.kind {
	case '"', '0':
		return wholeCitation(v.text)
	case '[':
		for _, item := range v.members {
			c.add(itemLines(item.value))
		}
	case '{':
		return itemLines(v)
	}
	return c
}

// itemLines reads an item of source_lines, where two numbers are a range.
func itemLines(v *value) Citation {
	switch {
	case v.is('{'):
		first, last := v.get("start_line"), v.get("end_line")
		if first == nil {
			first, last = v.get("start"), v.get("end")
		}
		return wholeCitation(strings.TrimSuffix(first.scalar()+"-"+last.scalar(), "-"))
	case v.is('[') && len(v.members) == 2 && v.members[0].is('0') && v.members[1].is('0'):
		return wholeCitation(v.members[0].text + "-" + v.members[1].text)
	}
	return linesOf(v)
}

// judge decides which objects assert.
func (d *document) judge() {
	for i, o := range d.objects {
		e := &d.to.Elements[o.element]
		e.Asserts = !e.Citation.empty() || d.asserts(i)
	}
}

func (d *document) asserts(i int) bool {
	o := d.objects[i]
	if o.holds {
		return slices.ContainsFunc(o.members, func(m member) bool { return m.is('"') && statesRule(m.text) })
	}
	if joins(o.value) {
		return slices.ContainsFunc(o.members, func(m member) bool {
			return m.is('"') && !slices.Contains(structure, strings.ToLower(m.name)) && !isAnswer(m.text, true)
		})
	}
	kind := strings.ToLower(o.get("type").scalar() + o.get("kind").scalar())
	marks := isMark(kind) || isMark(o.id)
	title := titleOf(o.value)
	return !marks || title != "" && !isMark(title)
}

// structure lists the members that describe an object's structure and not its assertions.
var structure = []string{"id", "type", "kind", "shape", "style", "class", "x", "y", "position", "order",
	"from", "to", "source", "target"}

// joins reports whether an object is an edge between two others.
func joins(v *value) bool {
	return v.get("from") != nil && v.get("to") != nil || v.get("source") != nil && v.get("target") != nil
}

// truth reports whether a member is true.
func (v *value) truth(names ...string) bool {
	return slices.ContainsFunc(names, func(name string) bool { return v.get(name).is(jsontext.Kind('t')) })
}
