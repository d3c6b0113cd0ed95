package corpus

import (
	"bytes"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// JSONPath is the JSON pointer (RFC 6901) of the value or member that the byte
// at offset belongs to, "" for the whole document. In broken JSON it is the
// pointer up to which the text could be read.
func JSONPath(src []byte, offset int) string {
	tokens, skipped := decoder(src)
	for {
		if _, err := tokens.ReadToken(); err != nil || skipped+int(tokens.InputOffset()) > offset {
			return string(tokens.StackPointer())
		}
	}
}

// JSONOffset is the byte where the member or value at a JSON pointer starts.
// ok is false where src has none.
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

// decoder reads the tokens of src behind a byte order mark, which is skipped
// bytes long.
func decoder(src []byte) (tokens *jsontext.Decoder, skipped int) {
	body := bytes.TrimPrefix(src, []byte(bom))
	tokens = jsontext.NewDecoder(bytes.NewBuffer(body), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	return tokens, len(src) - len(body)
}
