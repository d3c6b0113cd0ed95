package connect

import (
	"errors"
	"strings"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"
)

// tomlFormat is TOML. It edits only an entry that is a table [SERVERS.sagasu].
type tomlFormat struct{}

func (tomlFormat) decode(text string) (map[string]any, error) {
	doc := map[string]any{}
	err := toml.Unmarshal([]byte(text), &doc)
	if bad, ok := errors.AsType[*toml.DecodeError](err); ok {
		line, column := bad.Position()
		return nil, &badSyntax{line, column, strings.TrimPrefix(bad.Error(), "toml: ")}
	}
	if err != nil {
		return nil, &badSyntax{1, 1, strings.TrimPrefix(err.Error(), "toml: ")}
	}
	return doc, nil
}

// span returns where the lines of the entry's own table begin and end; ok is false if there is none. Blank lines and
// comments before the next table belong to that.
func (tomlFormat) span(text, servers string) (from, to int, ok bool) {
	p := unstable.Parser{}
	p.Reset([]byte(text))
	for p.NextExpression() {
		node := p.Expression()
		if node.Kind != unstable.Table && node.Kind != unstable.ArrayTable {
			continue
		}
		var key []string
		at := 0
		for parts := node.Key(); parts.Next(); {
			if key == nil {
				at = int(parts.Node().Raw.Offset)
			}
			key = append(key, string(parts.Node().Data))
		}
		line := strings.LastIndexByte(text[:at], '\n') + 1
		if ok {
			return from, endOfTable(text[:line]), true
		}
		if node.Kind == unstable.Table && len(key) == 2 && key[0] == servers && key[1] == entryName {
			from, ok = line, true
		}
	}
	return from, endOfTable(text), ok
}

// endOfTable returns the end of the last line that is neither blank nor a comment.
func endOfTable(text string) int {
	for text != "" {
		line := strings.LastIndexByte(strings.TrimSuffix(text, "\n"), '\n') + 1
		if rest := strings.TrimSpace(text[line:]); rest != "" && rest[0] != '#' {
			break
		}
		text = text[:line]
	}
	return len(text)
}

func (f tomlFormat) set(text, servers string, members []member) (splice, error) {
	eol := layoutOf(text).eol
	lines := []string{"[" + servers + "." + entryName + "]"}
	for _, m := range members {
		lines = append(lines, m.name+" = "+layout{}.value(m.value, "", true))
	}
	written := strings.Join(lines, eol)
	if from, to, ok := f.span(text, servers); ok {
		if strings.HasSuffix(text[:to], "\n") {
			written += eol
		}
		return splice{from, text[from:to], written}, nil
	}
	before := ""
	if text != "" {
		if !strings.HasSuffix(text, "\n") {
			before = eol
		}
		before += eol
	}
	return splice{len(text), "", before + written + eol}, nil
}

func (f tomlFormat) unset(text, servers string) (s splice, comments int, err error) {
	from, to, ok := f.span(text, servers)
	if !ok {
		return s, 0, errUnsafe
	}
	p := unstable.Parser{KeepComments: true}
	p.Reset([]byte(text[from:to]))
	for p.NextExpression() {
		comments += commentNodes(p.Expression())
	}
	before := strings.TrimSuffix(text[:from], "\n")
	if blank := strings.TrimSuffix(before, "\r"); blank == "" || strings.HasSuffix(blank, "\n") {
		from = len(blank) // with the blank line before it
	}
	return splice{from, text[from:to], ""}, comments, nil
}

// commentNodes counts the comments of a node, of its successors and of what is below them.
func commentNodes(node *unstable.Node) (n int) {
	for ; node != nil; node = node.Next() {
		if node.Kind == unstable.Comment {
			n++
		}
		if below := node.Children(); below.Next() {
			n += commentNodes(below.Node())
		}
	}
	return n
}
