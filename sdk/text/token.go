package text

// Class says what a token is.
type Class uint8

const (
	Word    Class = iota + 1 // a stemmed word; digits and codes are words too
	Exact                    // the unstemmed form, where it differs from the stem; its Term starts with ExactMark
	Whole                    // parts of an identifier or hyphenated word joined without separators, stemmed as a Word of the same letters
	Unigram                  // one CJK character
	Bigram                   // two neighbouring CJK characters
	Bridge                   // two CJK characters with nothing but separators between them; its Term starts with BridgeMark
)

// ExactMark starts the term of an [Exact] token, so that an exact form never
// meets a stem of the same letters.
const ExactMark = "\x01"

// BridgeMark starts the term of a [Bridge] token: what loose matching needs to
// find a word that separators cut, and no other search should see.
const BridgeMark = "\x02"

// maxTerm bounds the bytes of a term; a longer word is known by its start.
const maxTerm = 128

// Token is an indexable piece of a text. Start and End are bytes in Text.Norm.
type Token struct {
	Term       string
	Class      Class
	Start, End int
}
