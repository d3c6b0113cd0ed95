package rule

import (
	"regexp"
	"strings"

	"github.com/sagasu-search/sagasu/sdk/x/lazyregexp"
)

// growth tells whether what a comparison counts is about to get one more.
type growth int

const (
	fixed   growth = iota // it counts nothing
	counts                // it counts something; whether more comes does not show
	counted               // the one more was counted before
	grows                 // the one more comes behind
)

var (
	counting = lazyregexp.New(`(?i)len\(|\.length|count|\.size\b|attempts|total_?items|active`)
	plural   = lazyregexp.New(`[b-rt-z]s\)?$`)
	lengthOf = lazyregexp.New(`(?i)name|password|title|text|body|comment|message|file\.size|code|username|bytes`)
	// sized is how programs ask for the size of a collection.
	sized = lazyregexp.New(`^len\((.*)\)$|^(.*)\.(?:length|size|count|len)(?:\(\))?$`)
)

// growthOf reads the unit for lines that count the subject of a comparison up.
func (r *reader) growthOf(line int, subject string, q Quantity) growth {
	what := subject
	if m := sized().FindStringSubmatch(subject); m != nil {
		what = m[1] + m[2]
	}
	name := regexp.QuoteMeta(what)
	more := regexp.MustCompile(`(?:^|[^\w.])` + name + `\s*(?:\+\+|\+=|\.(?:push|append|add|insert|Add|Push)\(|=\s*(?:append\(\s*)?` + name + `\s*[,+])`)
	seen := fixed
	r.each(func(n int, text string) {
		switch {
		case !more.MatchString(text):
		case n > line:
			seen = grows
		case seen == fixed:
			seen = counted
		}
	})
	if seen == fixed && (counting().MatchString(subject) || plural().MatchString(subject) && q.family() == "count" && strings.Contains(subject, ".")) && !lengthOf().MatchString(subject) {
		return counts
	}
	return seen
}

// allowsMost reports whether a rule wants its amount to be the most.
func (r *Rule) allowsMost() bool {
	return r.Op == "<=" && r.Sign >= 0 || r.Op == ">" && r.Sign < 0
}

// inclusive tells to which side of its bound the amount of a rule of code belongs once
// what it counts has grown: 1 to the upper, -1 to the lower. x >= max that refuses one
// more keeps to "at most max", and so does x < max that lets it in.
func (r *Rule) inclusive(wants *Rule) int {
	stays := split(r.Op)
	strict := r.Op == ">=" && r.Sign < 0 || r.Op == "<" && r.Sign >= 0
	switch {
	case !wants.allowsMost():
		return stays
	case strict && (r.growth == grows || r.growth == counts):
		return -1
	case r.growth == grows && (r.Op == ">" && r.Sign < 0 || r.Op == "<=" && r.Sign > 0):
		return 1 // one more than the amount comes in
	}
	return stays
}
