package weaviate

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"path"
	"strings"
	"unicode"

	"github.com/sagasu-search/sagasu/sdk/snapshot"
	"github.com/sagasu-search/sagasu/sdk/text"
)

// object is a section as the engine stores it.
type object struct {
	Class      string     `json:"class"`
	ID         string     `json:"id"`
	Properties properties `json:"properties"`
}

type properties struct {
	Tokens   string   `json:"tokens,omitempty"`
	Keywords []string `json:"keywords,omitempty"`
	Order    string   `json:"order,omitempty"`
	Section  string   `json:"section,omitempty"`
	Stored   []string `json:"stored,omitempty"`
	Counts   string   `json:"counts,omitempty"`
	Hash     string   `json:"hash"`
}

// size returns the approximate number of bytes that are sent.
func (p *properties) size() int {
	n := len(p.Tokens) + len(p.Section) + len(p.Counts)
	for _, text := range p.Stored {
		n += len(text)
	}
	return n
}

// cutter splits texts into terms. It is not safe for concurrent use; its zero value is ready.
type cutter struct{ tokenizer text.Tokenizer }

// terms returns the terms of a text in the form for the engine, each followed by a space.
func (c *cutter) terms(s string) string {
	var out strings.Builder
	t := text.Normalize(s)
	for tok := range c.tokenizer.Tokens(&t) {
		if tok.Term != "" {
			out.WriteString(escape(tok.Term))
			out.WriteByte(' ')
		}
	}
	return out.String()
}

// mostTerm is the maximum length in bytes of a term that is stored unchanged.
const mostTerm = 200

// escape makes a term a single word for the engine's tokeniser, which splits at white space.
func escape(term string) string {
	switch {
	case len(term) > mostTerm:
		sum := sha256.Sum256([]byte(term))
		return "%" + hex.EncodeToString(sum[:])
	case strings.ContainsFunc(term, func(r rune) bool { return r == '%' || unicode.IsSpace(r) }):
		return "%" + hex.EncodeToString([]byte(term))
	}
	return term
}

// key returns the permanent identifier of a section, which does not change if other sections do. nth counts the
// sections with the same heading in the file. It is a UUID, as the engine requires.
func key(sec *snapshot.Section, heading string, nth int) uuid {
	return uuidOf(fmt.Appendf(nil, "%q %q %q %q %d", sec.Group, sec.Path, sec.Title, heading, nth))
}

// uuid identifies an object.
type uuid [16]byte

func (u uuid) String() string {
	return fmt.Sprintf("%x-%x-%x-%x-%x", u[:4], u[4:6], u[6:8], u[8:10], u[10:])
}

func uuidOf(name []byte) uuid {
	sum := sha256.Sum256(name)
	u := uuid(sum[:16])
	u[6], u[8] = u[6]&0x0f|0x80, u[8]&0x3f|0x80 // version 8, whose content may have any meaning
	return u
}

// places returns the keywords of a section's group, its file and the folders above it.
func places(group, file string) []string {
	out := []string{"group:" + group, "file:" + group + "/" + file, at(file)}
	for dir := path.Dir(file); dir != "." && dir != "/"; dir = path.Dir(dir) {
		out = append(out, at(dir+"/"))
	}
	return out
}

// at returns the keyword of a file or, if it ends with '/', of a folder, in any group.
func at(path string) string { return "@" + path }

// order returns a sort key by group, path and line. It is hexadecimal because the engine ignores case.
func order(sec *snapshot.Section, id string) string {
	return hex.EncodeToString(fmt.Appendf(nil, "%s\x00%s\x00%08x", sec.Group, sec.Path, sec.Start)) + id[:8]
}
