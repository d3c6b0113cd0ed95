package code

import (
	"path"
	"slices"
	"strings"
)

// words is a set of words or signs.
type words map[string]bool

func set(list string) words {
	all := words{}
	for w := range strings.FieldsSeq(list) {
		all[w] = true
	}
	return all
}

// blockStyle is how a language marks the end of a block.
type blockStyle uint8

const (
	braces blockStyle = iota
	indents
	ends
	statements
)

// commentForm is one way to write a comment.
type commentForm struct {
	open, close string // without close it reaches to the end of the line
	unless      string // text with this prefix is not a comment
	until       string // ends a line comment early
	nests       bool
	column      bool // only at the start of a line
	directive   bool // for a tool, without meaning for the code after it
}

// form is one way to write a string.
type form struct {
	open, close string
	hole        string // opens an interpolation, or ""
	escaped     string // the sign of the hole, escaped
	raw         bool   // a backslash has no special meaning
	doubled     bool   // a doubled closing sign is a literal one
	line        bool   // does not span lines
}

// language is everything that the scanner and the outline know about a language.
type language struct {
	name       string
	extensions []string
	style      blockStyle

	comments  []commentForm
	strings   []form
	prefixes  words // letters that may precede a string
	special   []func(*scanner) bool
	sigils    string // signs that may precede a name
	wordSigns string // signs inside names
	wordEnds  string // signs that may end a name
	markup    string // opens code in a file that is otherwise markup

	types     map[string]Kind // words that declare a type or something similar
	functions words           // words that declare a function
	modifiers words           // words before a declaration that belong to it
	control   words           // words before a bracket that are not calls; switch also tells that there is case X:
	bare      bool            // methods are declared by just a name and brackets
	locals    bool            // the same holds for functions in a block
	arrows    bool            // => makes a function
	free      bool            // statements may end with their line
	anonymous bool            // new T() {…} declares methods
	constants words           // words that declare a named value
	annotates string          // sign before an annotation: @, or [ and #[ if it is in brackets
	commands  bool            // calls need no brackets, so a value may follow a word
}

// languageOf returns the language of a path by its extension, or nil.
func languageOf(name string) *language {
	ext := strings.ToLower(path.Ext(name))
	for _, l := range languages {
		if slices.Contains(l.extensions, ext) {
			return l
		}
	}
	return nil
}

// languages are those that are cut at declarations.
var languages = []*language{
	golang, typescript, tsx, javascript, python, java, csharp, ruby, php, rust, sql,
}

var (
	slashes = []commentForm{{open: "//"}, {open: "/*", close: "*/"}}
	quotes  = []form{{open: `"`, close: `"`, line: true}, {open: "'", close: "'", line: true}}
)
