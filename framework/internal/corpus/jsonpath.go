package corpus

import (
	"bytes"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// JSONOffset returns the offset of the member or value at a JSON pointer. ok is false if src has none.
func JSONOffset(src []byte, pointer string) (offset int, ok bool) {
	levels := strings.Count(pointer, "/")
	walkJSON(src, pointer, func(level int, _ string, at int, on bool) (more bool) {
		if on && level == levels {
			offset, ok = at, true
		}
		return !ok
	})
	return offset, ok
}

// walkJSON visits the root of src and the members and elements of all that encloses the place of a pointer: with the
// number of names in its pointer, the last of them as in a pointer, its offset, and whether it leads to the place.
func walkJSON(src []byte, pointer string, visit func(level int, name string, at int, on bool) (more bool)) {
	names := strings.Split(pointer, "/")
	for tokens, skipped := decoder(src); ; {
		level, before := tokens.StackDepth(), skipped+int(tokens.InputOffset())
		in, index := tokens.StackIndex(level)
		token, err := tokens.ReadToken()
		if err != nil {
			return
		}
		name, end := "", skipped+int(tokens.InputOffset())
		switch kind := token.Kind(); {
		case kind == '}' || kind == ']':
			continue
		case in == '{':
			name = string(jsontext.Pointer("").AppendToken(token.String())[1:])
		case in == '[':
			name = strconv.FormatInt(index, 10)
		}
		on := name == names[level]
		if !visit(level, name, end-len(bytes.TrimLeft(src[before:end], " \t\r\n,:")), on) {
			return
		}
		if in == '{' {
			_, err = tokens.ReadToken()
		}
		for inside := on && level < len(names)-1; err == nil && !inside && tokens.StackDepth() > level; {
			_, err = tokens.ReadToken()
		}
		if err != nil {
			return
		}
	}
}

// JSONValue returns the byte range of the value at a JSON pointer, without the name of a member. ok is false if src has
// none that can be read.
func JSONValue(src []byte, pointer string) (from, end int, ok bool) {
	at, ok := JSONOffset(src, pointer)
	if !ok {
		return 0, 0, false
	}
	from, end, ok = nextValue(src, at)
	if rest := bytes.TrimLeft(src[end:], " \t\r\n"); ok && bytes.HasPrefix(rest, []byte(":")) { // it was a name
		return nextValue(src, len(src)-len(rest)+1)
	}
	return from, end, ok
}

// nextValue returns the byte range of the next value in src after at.
func nextValue(src []byte, at int) (from, end int, ok bool) {
	tokens, _ := decoder(src[at:])
	value, err := tokens.ReadValue()
	end = at + int(tokens.InputOffset())
	return end - len(value), end, err == nil
}

// JSONPointer returns the pointer of the value that contains the byte at, or of its parent if that has at most most
// bytes and is not the whole of src. It returns "" if src cannot be read that far.
func JSONPointer(src []byte, at, most int) string {
	tokens, skipped := decoder(src)
	for skipped+int(tokens.InputOffset()) <= at {
		if _, err := tokens.ReadToken(); err != nil {
			return ""
		}
	}
	pointer := string(tokens.StackPointer())
	if above := pointer[:max(0, strings.LastIndexByte(pointer, '/'))]; above != "" {
		if from, end, ok := JSONValue(src, above); ok && end-from <= most {
			return above
		}
	}
	if _, _, ok := JSONValue(src, pointer); !ok {
		return ""
	}
	return pointer
}

// JSONNames returns the names on the way to the place that a pointer names, without the numbers of elements.
func JSONNames(pointer string) (names []string) {
	for name := range jsontext.Pointer(pointer).Tokens() {
		if strings.Trim(name, "0123456789") != "" {
			names = append(names, name)
		}
	}
	return names
}

// JSONSiblings returns at most most pointers of the siblings of the place that a pointer names or, if there are none,
// of the nearest place above it that has some.
func JSONSiblings(src []byte, pointer string, most int) (found []string) {
	nearest, levels := 1, strings.Count(pointer, "/")
	walkJSON(src, pointer, func(level int, name string, _ int, _ bool) (more bool) {
		if level > nearest {
			nearest, found = level, nil
		}
		if level == nearest && len(found) < most && (len(found) == 0 || found[len(found)-1] != name) {
			found = append(found, name)
		}
		return level < levels || len(found) < most
	})
	above := strings.Join(strings.Split(pointer, "/")[:nearest], "/")
	for i, name := range found {
		found[i] = above + "/" + name
	}
	return found
}

// decoder reads the tokens of src after a byte order mark, which is skipped bytes long.
func decoder(src []byte) (tokens *jsontext.Decoder, skipped int) {
	body := bytes.TrimPrefix(src, []byte(bom))
	return jsontext.NewDecoder(bytes.NewBuffer(body), jsontext.AllowDuplicateNames(true),
		jsontext.AllowInvalidUTF8(true)), len(src) - len(body)
}
