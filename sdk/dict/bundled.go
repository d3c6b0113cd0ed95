package dict

import _ "embed" // the bundled lists

//go:embed data/synonyms.txt
var synonyms []byte

//go:embed data/backend.txt
var backend []byte

//go:embed data/exceptions.txt
var exceptions []byte

// Synonyms is the bundled list: common words of Japanese and English manuals.
func Synonyms() []Entry {
	entries, err := ParseSynonyms("synonyms.txt", synonyms)
	if err != nil {
		panic("dict: " + err.Error()) // a test reads the same bytes
	}
	return entries
}

// Exceptions is the bundled list of words that take back or limit what a text
// grants, and of those that warn.
func Exceptions() Vocabulary {
	words, err := ParseWords("exceptions.txt", exceptions)
	if err != nil {
		panic("dict: " + err.Error()) // a test reads the same bytes
	}
	return words
}

// Backend is the bundled list of what specifications and programs call things:
// it leads from Japanese prose to English identifiers.
func Backend() []Entry {
	entries, err := ParseSynonyms("backend.txt", backend)
	if err != nil {
		panic("dict: " + err.Error()) // a test reads the same bytes
	}
	return entries
}
