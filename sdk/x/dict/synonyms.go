package dict

import (
	"strings"

	"github.com/sagasu-search/sagasu/sdk/text"
)

// ParseSynonyms reads a synonym dictionary: UTF-8 text, one entry a line,
// "a, b, c" for terms that stand for each other and "a => b, c" for terms that
// only stand for a; both sides may list several. 、 and ， separate like a comma,
// # starts a comment. Terms are normalised.
//
// The error is [Errors], every mistake with file (as called here) and line; the
// entries without a mistake are returned with it.
func ParseSynonyms(file string, src []byte) ([]Entry, error) {
	var errs Errors
	var out []Entry
	first := make(map[string]int)
	for n, line := range lines(file, src, &errs) {
		e, reason := parseEntry(line)
		if reason == "" {
			reason = e.check()
		}
		if reason != "" {
			errs.add(file, n, "%s", reason)
			continue
		}
		if at := first[e.key()]; at != 0 {
			errs.add(file, n, "the entry is there already, in line %d", at)
			continue
		}
		if len(out) == MaxEntries {
			errs.add(file, n, "a dictionary has at most %d entries", MaxEntries)
			break
		}
		first[e.key()] = n
		out = append(out, e)
	}
	return out, errs.err()
}

// parseEntry parses one line. If it is not an entry, reason says why.
func parseEntry(line string) (e Entry, reason string) {
	line = text.Fold(line) // some commas and arrows show only then
	from, to, oneWay := strings.Cut(line, "=>")
	if !oneWay {
		from, to = "", line
	}
	if strings.Contains(to, "=>") {
		return e, "an entry has one => at most"
	}
	if oneWay {
		if e.From, reason = terms(from); reason != "" {
			return e, "left of =>: " + reason
		}
	}
	if e.To, reason = terms(to); reason != "" && oneWay {
		reason = "right of =>: " + reason
	}
	return e, reason
}

// commas separate terms.
const commas = ",、，"

// terms reads one side of an entry.
func terms(side string) (out []string, reason string) {
	if strings.TrimSpace(side) == "" {
		return nil, "there is no term"
	}
	for raw := range splitSeq(side) {
		t, reason := fold(raw)
		if reason != "" {
			return nil, reason
		}
		out = append(out, t)
	}
	return out, ""
}

// splitSeq cuts at every comma.
func splitSeq(s string) func(func(string) bool) {
	return strings.SplitSeq(strings.Map(func(r rune) rune {
		if strings.ContainsRune(commas, r) {
			return ','
		}
		return r
	}, s), ",")
}
