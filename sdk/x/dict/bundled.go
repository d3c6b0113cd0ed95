package dict

import _ "embed" // the bundled lists

//go:embed data/synonyms.txt
var synonyms []byte

//go:embed data/backend.txt
var backend []byte

//go:embed data/related.txt
var related []byte

//go:embed data/subjects.txt
var subjects []byte

//go:embed data/exceptions.txt
var exceptions []byte

// Synonyms is the bundled list: common words of Japanese and English manuals.
func Synonyms() []Entry { return parsed("synonyms.txt", synonyms) }

// parsed is a list that a test reads, too.
func parsed(file string, src []byte) []Entry {
	entries, err := ParseSynonyms(file, src)
	if err != nil {
		panic("dict: " + err.Error())
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
func Backend() []Entry { return parsed("backend.txt", backend) }

// Related is the bundled list of words by which people ask about business software.
// The terms of an entry need not mean the same: they may find what is meant, and are
// no ground to say that two texts speak of the same thing.
func Related() []Entry { return parsed("related.txt", related) }

// Subjects is the bundled list of what requirements and programs of many trades are
// about. A term means one thing in it, so that two texts which name terms of one entry
// speak of the same; an entry that starts as one of Backend adds to that.
func Subjects() []Entry { return parsed("subjects.txt", subjects) }
