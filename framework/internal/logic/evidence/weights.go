package evidence

import "github.com/sagasu-search/sagasu/sdk/lexical"

// params are those of BM25F over the fields name, context, comment, own text and facts.
// A name says more than what is in a body; that a constant is used says less than the
// lines that use it.
var params = lexical.Params{K1: 1.2, B: []float64{.3, .3, .3, .5, .3}, Weight: []float64{3, .7, 1.5, 1, .5}}

// The weights of the terms of a question.
const (
	exactWeight   = .2
	wholeWeight   = 1.5
	endingWeight  = .15 // of a pair of characters that holds the end of a word
	frameWeight   = .3  // of words by which one asks about programs
	otherLanguage = .6  // of what the glossary, or the sound of a loanword, leads to
	sameLanguage  = .35 // of other words of the question's own language
	relatedShare  = .7  // of either, where the words are only near each other
)

// The weights of what speaks for a unit, beside its own score for the question.
const (
	wholeShare = 1. / 35 // its whole file's score, for each idea of the question
	namedShare = .15     // the question names it
	saidShare  = .45     // it holds the words of specifications that match
	pathShare  = 1.2     // specifications that match name its file
)

// How specifications lead to programs.
const (
	leadingUnits = 8   // whose words are taken
	leadingFiles = 3   // all of whose paths are taken
	mateShare    = .8  // of a path in another unit of a matching file
	lineFloor    = .25 // of a line that says nothing of the question
	mostSaid     = 24  // words
)

// depth is how many units of a scope are ranked.
const depth = 400
