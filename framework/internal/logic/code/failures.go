package code

import (
	"cmp"
	"strconv"
	"strings"
)

// raising are words that an error follows, and calls that create one.
var raising = set("throw raise panic abort die fail bail anyhow Errorf Err sendStatus send_error sendError reject " +
	"halt RAISE SIGNAL HTTPException NewHTTPError")

// named are those among them that are themselves the name of the error.
var named = set("HTTPException NewHTTPError abort Errorf New sendStatus send_error sendError panic")

// statusNames maps names of HTTP statuses (RFC 9110), in lower case and without punctuation.
var statusNames = map[string]int{
	"ok": 200, "created": 201, "accepted": 202, "nocontent": 204, "movedpermanently": 301, "found": 302,
	"notmodified": 304, "badrequest": 400, "unauthorized": 401, "paymentrequired": 402, "forbidden": 403,
	"notfound": 404, "methodnotallowed": 405, "notacceptable": 406, "requesttimeout": 408, "conflict": 409, "gone": 410,
	"preconditionfailed": 412, "requestentitytoolarge": 413, "payloadtoolarge": 413, "unsupportedmediatype": 415,
	"unprocessableentity": 422, "unprocessablecontent": 422, "locked": 423, "toomanyrequests": 429,
	"internalservererror": 500, "notimplemented": 501, "badgateway": 502, "serviceunavailable": 503,
	"gatewaytimeout": 504,
}

// failure reads the error that the word i raises, creates or answers with.
func (r *factReader) failure(u *Unit, i int) []Failure {
	if i <= r.raisedEnd || r.kind(i) != word || r.oneOf(i-1, "def function func fn") {
		return nil
	}
	var f Failure
	if r.raises(i) {
		f, r.raisedEnd = r.raised(i)
	} else if f.Name, f.Status = r.status(i); f.Status < 400 {
		return nil
	} else if r.oneOf(i+1, "= : =>") {
		f.Name = cmp.Or(r.argumentOf(i), f.Name)
	}
	if r.declares(u, i) {
		return nil
	}
	f.Line = r.line(i)
	return []Failure{f}
}

// raises reports whether the word i raises an error: it is a keyword followed by an error, or a call, and not just a
// name that reads like one.
func (s *source) raises(i int) bool {
	called := s.is(i+1, "(") || s.lang == rust && s.is(i+1, "!")
	switch {
	case s.is(i, "New"):
		return s.is(i-2, "errors")
	case !s.in(i, raising) || s.oneOf(i+1, "= : . )"):
		return false
	case s.is(i, "Err"):
		return s.lang == rust && called && !s.oneOf(i-1, ". |") && !s.oneOf(s.over(i+1), "=> = | if")
	}
	return called || s.lang.commands || s.oneOf(i, "throw die RAISE SIGNAL") ||
		s.is(i, "raise") && s.lang.style == indents
}

// declares reports whether the word i of a unit is the name of a declared function: the unit itself or a member of the
// type.
func (r *factReader) declares(u *Unit, i int) bool {
	if u.Kind == Type {
		return r.lang.style == braces && r.in(i, raising) && r.is(i+1, "(")
	}
	return r.text(i) == u.Name && r.line(i) == u.Decl
}

// raisedTokens is the maximum number of tokens that are read of an error's arguments.
const raisedTokens = 40

// raised reads the name, message and status after the raising word i; end is the last token of all of these.
func (s *source) raised(i int) (f Failure, end int) {
	f = Failure{Name: s.written(s.operandStart(i), i+1)}
	at := i + 1
	if s.lang.free && s.first(at) {
		return f, i // it raises the caught error again
	}
	for s.oneOf(at, "new ! ( & * EXCEPTION") && at < i+4 {
		at++
	}
	if s.kind(at) == word && !s.in(i, named) {
		f.Name = s.written(at, s.memberEnd(at))
	}
	for ; at < len(s.tokens) && at < i+raisedTokens && !s.is(at, ";") && !s.is(at, "}") && !s.endsLine(i, at); at++ {
		if s.kind(at) == text && f.Message == "" {
			f.Message = shorten(bare(s.text(at)))
		}
		_, named := s.status(at)
		if n := cmp.Or(s.code(at), named); n >= 400 && f.Status == 0 {
			f.Status = n
		}
	}
	return f, at - 1
}

// argumentOf returns the function that is called with an argument that begins at token i, or "" if there is none.
func (s *source) argumentOf(i int) string {
	if !s.oneOf(i-1, "( ,") {
		return ""
	}
	at := i - 1
	for n := 0; n < lookback && s.match(at) < i; n++ {
		at = s.back(at)
	}
	if !s.is(at, "(") || s.kind(at-1) != word || s.in(at-1, branching) {
		return ""
	}
	return s.written(s.operandStart(at-1), at)
}

// operandStart returns the first token of the operand that ends with token at: a name with its members, calls and
// indexes.
func (s *source) operandStart(at int) int {
	for n := 0; n < lookback; n++ {
		open := s.match(at)
		switch {
		case open != none && open < at && s.kind(open-1) == word:
			at = open - 1
		case open != none && open < at:
			return open
		case s.oneOf(at-1, ". ?. -> ?-> &. ::"):
			at -= 2
		default:
			return max(at, 0)
		}
	}
	return max(at, 0)
}

// endsLine reports whether the statement of token from ended with the line before token at.
func (s *source) endsLine(from, at int) bool {
	return s.lang.free && at > from+1 && s.first(at) && !s.in(at-1, goesOn) && !s.in(at, continues) &&
		!s.oneOf(at, ") ]")
}

// code returns the HTTP status if token i is the number of one, or 0.
func (s *source) code(i int) int {
	n, err := strconv.Atoi(s.text(i))
	if err != nil || n < 100 || n > 599 {
		return 0
	}
	return n
}

// status returns the HTTP status that the word i names or sets: http.StatusGone, HttpStatus.GONE, status(410), status:
// :gone, status_code=410.
func (s *source) status(i int) (string, int) {
	name := s.text(i)
	folded := strings.ToLower(strings.ReplaceAll(name, "_", ""))
	if rest, ok := strings.CutPrefix(folded, "status"); ok && s.is(i-1, ".") {
		if n := statusNames[strings.TrimLeft(rest, "0123456789")]; n > 0 {
			return name, n
		}
	}
	if rest, ok := strings.CutPrefix(folded, "http"); ok && len(rest) > 3 && digit(rest[0]) {
		if n, err := strconv.Atoi(rest[:3]); err == nil {
			return name, n
		}
	}
	if strings.Contains(strings.ToLower(s.text(i-2)), "status") && s.oneOf(i-1, ". ::") && statusNames[folded] > 0 {
		return s.written(i-2, i+1), statusNames[folded]
	}
	if strings.Contains(folded, "status") && s.oneOf(i+1, "( = : =>") {
		if n := s.code(i + 2); n > 0 {
			return name, n
		}
		if s.kind(i+2) == text {
			return name, statusNames[strings.ReplaceAll(bare(s.text(i+2)), "_", "")]
		}
	}
	return "", 0
}

// bare returns a string without its quotes, or a symbol without its colon.
func bare(literal string) string {
	if at := strings.IndexAny(literal, "\"'`"); at > 0 && at <= 3 {
		literal = literal[at:]
	}
	return strings.Trim(strings.TrimPrefix(literal, ":"), "\"'`")
}

// shorten folds a text to one line of at most maxFact bytes.
func shorten(text string) string {
	folded := OneLine(text)
	if len(folded) > maxFact {
		folded = strings.ToValidUTF8(folded[:maxFact], "")
	}
	return folded
}
