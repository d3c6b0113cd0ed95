package corpus

import (
	"bytes"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// JSONOffset returns the offset of the member or value at a JSON pointer. ok is false if src has none.
func JSONOffset(src []byte, pointer string) (offset int, ok bool) {
	tokens, skipped := decoder(src)
	depth := strings.Count(pointer, "/")
	for {
		before := skipped + int(tokens.InputOffset())
		if _, err := tokens.ReadToken(); err != nil {
			return 0, false
		}
		if tokens.StackDepth() <= depth+1 && string(tokens.StackPointer()) == pointer {
			end := skipped + int(tokens.InputOffset())
			return end - len(bytes.TrimLeft(src[before:end], " \t\r\n,:")), true
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
func JSONSiblings(src []byte, pointer string, most int) []string {
	for {
		last := strings.LastIndexByte(pointer, '/')
		if last < 0 {
			return nil
		}
		if found := jsonChildren(src, pointer[:last], most); len(found) > 0 {
			return found
		}
		pointer = pointer[:last]
	}
}

func jsonChildren(src []byte, parent string, most int) []string {
	var found []string
	for tokens, _ := decoder(src); len(found) < most; {
		if _, err := tokens.ReadToken(); err != nil {
			break
		}
		at := string(tokens.StackPointer())
		last := strings.LastIndexByte(at, '/')
		if last >= 0 && at[:last] == parent && (len(found) == 0 || found[len(found)-1] != at) {
			found = append(found, at)
		}
	}
	return found
}

// decoder reads the tokens of src after a byte order mark, which is skipped bytes long.
func decoder(src []byte) (tokens *jsontext.Decoder, skipped int) {
	body := bytes.TrimPrefix(src, []byte(bom))
	return jsontext.NewDecoder(bytes.NewBuffer(body), jsontext.AllowDuplicateNames(true),
		jsontext.AllowInvalidUTF8(true)), len(src) - len(body)
}
