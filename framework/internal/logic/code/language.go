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

// blockStyle is how a language says where a block ends.
type blockStyle uint8

const (
	braces blockStyle = iota
	indents
	ends
	statements
)

// commentForm is one way to write a comment.
type commentForm struct {
	open, close string // without a close it reaches to the end of the line
	unless      string // what begins so is no comment
	until       string // ends a line comment before the line does
	nests       bool
	column      bool // only at the start of a line
	directive   bool // for a tool, and says nothing of what follows
}

// form is one way to write a string.
type form struct {
	open, close string
	hole        string // opens an interpolation, or ""
	escaped     string // the hole's sign written for itself
	raw         bool   // a backslash is nothing special
	doubled     bool   // the closing sign written twice stands for itself
	line        bool   // does not run over a line's end
}

// language is all that the scanner and the outline know of a language.
type language struct {
	name       string
	extensions []string
	style      blockStyle

	comments  []commentForm
	strings   []form
	prefixes  words // letters that may stand before a string
	special   []func(*scanner) bool
	sigils    string // what may stand before a name
	wordSigns string // signs inside of names
	wordEnds  string // signs that may end a name
	markup    string // opens code in a file that is markup otherwise

	types     map[string]Kind // words that declare a type, or what is like one
	functions words           // words that declare a function
	modifiers words           // words before a declaration that belong to it
	control   words           // words before a bracket that call nothing
	bare      bool            // methods are declared by name and brackets alone
	locals    bool            // so are functions in a block
	arrows    bool            // => makes a function
	free      bool            // statements may end with their line
	anonymous bool            // new T() {…} declares methods
	constants words           // words that declare a named value
	annotates string          // sign before an annotation: @, or [ and #[ for a bracket
	commands  bool            // calls need no brackets, so that a value may follow a word
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

// languages are those that are cut by their declarations.
var languages = []*language{
	golang, typescript, tsx, javascript, python, java, csharp, ruby, php, rust, sql,
}

var (
	slashes = []commentForm{{open: "//"}, {open: "/*", close: "*/"}}
	quotes  = []form{{open: `"`, close: `"`, line: true}, {open: "'", close: "'", line: true}}
)
