package judge

import "strings"

// heads reports whether a sentence is the first row of a table, which names the columns.
func (r *reader) heads(i int) bool {
	s := &r.sentences[i]
	if s.kind != row || i > 0 && r.continues(i-1, i) {
		return false
	}
	return i+1 < len(r.sentences) && r.sentences[i+1].kind == row && r.sentences[i+1].evidence == s.evidence
}

// continues reports whether two sentences are rows of one table. Between the first
// two stands the line that parts them.
func (r *reader) continues(i, j int) bool {
	a, b := &r.sentences[i], &r.sentences[j]
	return a.kind == row && b.kind == row && a.evidence == b.evidence && b.line-a.line <= 2
}

// told is a sentence as a claim says it: a row of a table with the names of its
// columns, an item of a list behind the sentence that denies what the list names.
func (r *reader) told(i int) string {
	s := &r.sentences[i]
	if lead := r.denyingLead(i); lead != "" {
		return lead + " " + s.source
	}
	if s.kind != row {
		return s.source
	}
	top := i
	for top > 0 && r.continues(top-1, top) {
		top--
	}
	names, values := cells(r.sentences[top].source), cells(s.source)
	if top == i || len(names) != len(values) {
		return strings.Join(values, ", ")
	}
	var out []string
	for k, v := range values {
		if names[k] != "" && v != "" {
			v = names[k] + ": " + v
		}
		out = append(out, v)
	}
	return strings.Join(out, ", ")
}

func cells(source string) []string {
	row := strings.TrimSpace(source)
	parts := strings.Split(strings.TrimSuffix(strings.TrimPrefix(row, "|"), "|"), "|")
	for i := range parts {
		parts[i] = strings.TrimSpace(parts[i])
	}
	return parts
}
