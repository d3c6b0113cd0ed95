package charset

import (
	"bytes"
	"compress/flate"
	_ "embed"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/sagasu-search/sagasu/sdk/x/charset/language"
)

// Guess is the detected encoding of a text.
type Guess struct {
	// Name is the IANA name in lower case, or "" if the bytes are not text.
	Name string
	// Probability is the probability that the encoding is right, in [0, 1]; 1 if the bytes prove it.
	Probability float64
}

// Surely is the minimum probability with which a text is decoded.
const Surely = 0.5

// String returns the name, with the probability if the encoding was guessed.
func (g Guess) String() string {
	if g.Probability == 1 {
		return g.Name
	}
	return fmt.Sprintf("%s, probability %.2f", g.Name, min(g.Probability, .99))
}

//go:embed languages.bin
var packed []byte

// models returns the language models. docs/measurements describes how they were made.
var models = sync.OnceValue(func() []*language.Model {
	in, err := io.ReadAll(flate.NewReader(bytes.NewReader(packed)))
	if err != nil {
		panic("the models of languages are damaged: " + err.Error()) // they are embedded in the program
	}
	all, err := language.Read(in)
	if err != nil {
		panic(err)
	}
	return all
})

// english returns the model of English.
func english() *language.Model {
	return models()[slices.IndexFunc(models(), func(m *language.Model) bool { return m.Code == "en" })]
}

// Detect finds the encoding of a text.
func Detect(src []byte) Guess {
	if name := marked(src); name != "" {
		return Guess{name, 1}
	}
	if utf8.Valid(src) && bytes.IndexByte(src, 0) < 0 {
		return Guess{UTF8, 1}
	}
	part := telling(src)
	var left []reading
	for i := range charsets {
		for _, m := range models() {
			if charsets[i].holds(m.Code) {
				left = append(left, reading{charset: &charsets[i], model: m})
			}
		}
	}
	for size := firstLook; ; size *= 8 {
		look := part[:min(size, len(part))]
		if left = better(left, look); len(look) == len(part) {
			break
		}
	}
	return choose(left, part, declared(src))
}

const (
	// mostTelling is the maximum number of bytes that are examined, firstLook the number examined first.
	mostTelling = 16 << 10
	firstLook   = 256
	// declarationBits is the bonus of a declared encoding, and declarationBit the further bonus per non-ASCII
	// byte.
	declarationBits = 60
	declarationBit  = 1
	// wrongBits is the cost, in the declared encoding, of a character that no text has.
	wrongBits = 40
	// hopelessBits is how much more than the best reading so far a reading may cost before it is abandoned.
	hopelessBits = 100
	// garbageBits is the minimum cost per byte of bytes that are not text. Random bytes cost eight.
	garbageBits = 9
	// unknownBits is the prior cost of an unknown language or encoding, unknownFirst the cost of the first
	// non-ASCII byte of a run, and unknownByte the cost of each further one.
	unknownBits  = 20
	unknownFirst = 17
	unknownByte  = 7.5
	// trust calibrates the probability against measurements, since characters of a text are not independent.
	trust = 0.2
	// doubt is the weight of the other readings after that.
	doubt = 0.4
)

// reading is a text decoded in an encoding and rated as text in a language.
type reading struct {
	*charset
	model *language.Model
	cost  language.Cost
	bits  float64 // including the prior cost
}

// holds reports whether texts in a language may be in the encoding.
func (c *charset) holds(code string) bool {
	return c.languages == "*" || strings.Contains(" "+c.languages+" ", " "+code+" ")
}

// better rates the readings of a text and returns those that are not hopeless.
func better(readings []reading, text []byte) []reading {
	least := math.Inf(1)
	decoded := map[string][]rune{}
	for i := range readings {
		r := &readings[i]
		runes, ok := decoded[r.name]
		if !ok {
			runes = []rune(string(r.decode(text)))
			decoded[r.name] = runes
		}
		r.cost = r.model.Cost(english(), runes, least+hopelessBits-r.charset.bits)
		r.bits = r.cost.Sum() + r.charset.bits
		least = min(least, r.bits)
	}
	kept := readings[:0]
	for _, r := range readings {
		if r.bits <= least+hopelessBits {
			kept = append(kept, r)
		}
	}
	return kept
}

// choose returns the best reading of a text, or the declared encoding if that is not much worse.
func choose(readings []reading, text []byte, said string) Guess {
	best := readings[0]
	bits, texts := map[*charset]float64{}, map[*charset]string{}
	for _, r := range readings {
		if b, ok := bits[r.charset]; !ok || r.bits < b {
			bits[r.charset] = r.bits
		}
		if r.bits < best.bits {
			best = r
		}
	}
	none := best.cost.ASCII + unknown(text)
	if best.languages == "*" { // its bytes below 0x80 are not ASCII
		none = unknownBits + unknownByte*float64(len(text))
	}
	if c, ok := find(said); ok && c.languages != "*" { // Unicode text is recognised by itself
		bits := none + wrongBits*float64(wrong(c.decode(text)))
		for _, m := range models() {
			if c.holds(m.Code) {
				bits = min(bits, m.Cost(english(), []rune(string(c.decode(text))), bits).Sum())
			}
		}
		if bits-declarationBits-declarationBit*float64(beyondASCII(text)) <= best.bits {
			return Guess{c.name, 1}
		}
	}
	if best.bits > garbageBits*float64(len(text)) {
		return Guess{}
	}
	for c := range bits {
		texts[c] = string(c.decode(text))
	}
	same, all := 0.0, math.Exp2((best.bits-none)*trust)
	for c, b := range bits {
		p := math.Exp2((best.bits - b) * trust)
		if all += p; texts[c] == texts[best.charset] {
			same += p
		}
	}
	return Guess{best.name, same / (same + doubt*(all-same))}
}

// unknown returns the cost of the non-ASCII bytes if no known reading is right.
func unknown(text []byte) float64 {
	bits, before := float64(unknownBits), false
	for _, b := range text {
		beyond := b == 0 || b >= utf8.RuneSelf
		switch {
		case beyond && before:
			bits += unknownByte
		case beyond:
			bits += unknownFirst
		}
		before = beyond
	}
	return bits
}

// wrong counts the characters that no text has.
func wrong(text []byte) (n int) {
	for _, r := range string(text) {
		if r == utf8.RuneError || unicode.IsControl(r) && !unicode.IsSpace(r) {
			n++
		}
	}
	return n
}

func beyondASCII(text []byte) (n int) {
	for _, b := range text {
		if b >= utf8.RuneSelf {
			n++
		}
	}
	return n
}

// telling returns the lines of a text that have non-ASCII bytes, or all lines if the text has a NUL, up to a limit.
func telling(src []byte) []byte {
	if bytes.IndexByte(src[:min(len(src), mostTelling)], 0) >= 0 {
		return src[:min(len(src), mostTelling)]
	}
	var out []byte
	for line := range bytes.Lines(src) {
		if bytes.ContainsFunc(line, func(r rune) bool { return r >= utf8.RuneSelf }) {
			if out = append(out, line...); len(out) >= mostTelling {
				return out[:mostTelling]
			}
		}
	}
	return out
}
