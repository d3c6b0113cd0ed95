package server

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/sagasu-search/sagasu/framework/internal/toolset"
)

const (
	maxArgumentBytes = 1 << 20
	maxArgumentDepth = 16
)

// node is a JSON value as it was written: numbers keep their text, objects the
// order of their members.
type node struct {
	kind    jsontext.Kind
	text    string // a string's value, or a number as written
	members []member
	items   []node
}

type member struct {
	name string
	node
}

var errTooDeep = fmt.Errorf("it is nested deeper than %d levels", maxArgumentDepth)

// parseArguments reads the arguments of a call. Nothing and null are an empty
// object; anything but one well-formed object without duplicate names is refused.
func parseArguments(raw []byte) (node, *toolset.Error) {
	empty := node{kind: '{'}
	if len(raw) > maxArgumentBytes {
		return empty, toolset.Invalid("arguments", fmt.Sprintf("%d bytes", len(raw)), fmt.Sprintf("at most %d bytes of JSON; write a longer text in pieces, with vault_write and mode append", maxArgumentBytes))
	}
	if len(bytes.TrimSpace(raw)) == 0 {
		return empty, nil
	}
	d := jsontext.NewDecoder(bytes.NewReader(raw))
	n, err := readNode(d, 0)
	if err == nil {
		err = atEnd(d)
	}
	if err != nil {
		return empty, malformed(err)
	}
	switch n.kind {
	case 'n':
		return empty, nil
	case '{':
		return n, nil
	}
	return empty, toolset.Invalid("arguments", n.describe(), "a JSON object")
}

func malformed(err error) *toolset.Error {
	reason := "it is not well-formed JSON"
	switch se, ok := errors.AsType[*jsontext.SyntacticError](err); {
	case errors.Is(err, errTooDeep):
		reason = errTooDeep.Error()
	case errors.Is(err, jsontext.ErrDuplicateName):
		reason = fmt.Sprintf("%q is given twice", se.JSONPointer.LastToken())
	case ok:
		reason = fmt.Sprintf("it is not well-formed JSON at byte %d", se.ByteOffset)
	}
	return toolset.Errorf(toolset.InvalidParameter, "arguments must be one JSON object, but %s", reason).
		With("parameter", "arguments").With("got", reason).With("expected", "one JSON object, each name once")
}

func atEnd(d *jsontext.Decoder) error {
	_, err := d.ReadToken()
	if err == io.EOF {
		return nil
	}
	if err == nil {
		return errors.New("text after the value")
	}
	return err
}

func readNode(d *jsontext.Decoder, depth int) (node, error) {
	if depth > maxArgumentDepth {
		return node{}, errTooDeep
	}
	token, err := d.ReadToken()
	if err != nil {
		return node{}, err
	}
	n := node{kind: token.Kind()}
	switch n.kind {
	case '"', '0':
		n.text = token.String()
	case '{':
		n.members, err = readMembers(d, depth)
	case '[':
		n.items, err = readItems(d, depth)
	}
	return n, err
}

func readMembers(d *jsontext.Decoder, depth int) ([]member, error) {
	members := []member{}
	for d.PeekKind() != '}' {
		name, err := d.ReadToken()
		if err != nil {
			return nil, err
		}
		m := member{name: name.String()}
		if m.node, err = readNode(d, depth+1); err != nil {
			return nil, err
		}
		members = append(members, m)
	}
	_, err := d.ReadToken()
	return members, err
}

func readItems(d *jsontext.Decoder, depth int) ([]node, error) {
	items := []node{}
	for d.PeekKind() != ']' {
		item, err := readNode(d, depth+1)
		if err != nil {
			return nil, err
		}
		items = append(items, item)
	}
	_, err := d.ReadToken()
	return items, err
}

// find gives the value of a member; null counts as not given.
func (n node) find(name string) (node, bool) {
	for _, m := range n.members {
		if m.name == name {
			return m.node, m.kind != 'n'
		}
	}
	return node{}, false
}

// maxGotRunes bounds how much of a caller's own value an error repeats.
const maxGotRunes = 200

// describe is the value as an error repeats it: scalars themselves, cut where
// they are long, and the kind of anything larger.
func (n node) describe() any {
	switch n.kind {
	case 'n':
		return nil
	case 't', 'f':
		return n.kind == 't'
	case '{':
		return "an object"
	case '[':
		return "an array"
	case '0':
		if len(n.text) < 18 {
			return json.Number(n.text)
		}
	}
	if runes := []rune(n.text); len(runes) > maxGotRunes {
		return string(runes[:maxGotRunes]) + "…"
	}
	return n.text
}
