package evidence

import "github.com/sagasu-search/sagasu/sdk/lexical"

// params are those of BM25F over the fields name, context, comment, own text and facts.
// A name says more than what is in a body; that a constant is used says less than the
// lines that use it.
var params = lexical.Params{K1: 1.2, B: []float64{.3, .3, .3, .5, .3}, Weight: []float64{3, .7, 1.5, 1, .5}}

// The weights of the terms of a question.
const (
	exactWeight    = .2
	wholeWeight    = 1.5
	unigramWeight  = .3
	frameWeight    = .3  // of words by which one asks about programs
	otherLanguage  = .6  // of what the glossary, or the sound of a loanword, leads to
	sameLanguage   = .35 // of other words of the question's own language
	relatedShare   = .7  // of either, where the words are only near each other
	leastLikeSound = .5  // below which a word is not taken for the origin of a loanword
)

// The weights of what speaks for a unit, beside its own score for the question.
const (
	fileShare  = .3  // what its file says of the question more than itself
	namedShare = .15 // the question names it
	saidShare  = .3  // it holds the words of specifications that match
	pathShare  = 1.0 // specifications that match name its file
)

// How specifications lead to programs.
const (
	leadingUnits = 8   // whose words are taken
	leadingFiles = 3   // all of whose paths are taken
	mateShare    = .8  // of a path in another unit of a matching file
	lineFloor    = .25 // of a line that says nothing of the question
	mostSaid     = 24  // words
	enoughTold   = .5  // coverage from which on a specification leads with all its weight
)

// depth is how many units of a scope are ranked.
const depth = 400
