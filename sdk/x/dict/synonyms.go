package dict

import (
	"strings"

	"github.com/sagasu-search/sagasu/sdk/text"
)

// ParseSynonyms reads a synonym dictionary in UTF-8 with one entry per line: "a, b, c" for terms that may replace each
// other, and "a => b, c" for terms that may only replace a. Both sides may list several terms. 、 and ， separate like a
// comma, and # starts a comment. Terms are normalised.
//
// The error is [Errors] with every mistake, the file as passed, and the line. The entries without a mistake are
// returned with it.
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
		key := e.key()
		if at := first[key]; at != 0 {
			errs.add(file, n, "the entry is there already, in line %d", at)
			continue
		}
		if len(out) == MaxEntries {
			errs.add(file, n, "a dictionary has at most %d entries", MaxEntries)
			break
		}
		first[key] = n
		out = append(out, e)
	}
	return out, errs.err()
}

// parseEntry parses one line. If it is not an entry, reason says why.
func parseEntry(line string) (e Entry, reason string) {
	line = text.Fold(line) // some commas and arrows are only recognised then
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

// splitSeq splits at every comma.
func splitSeq(s string) func(func(string) bool) {
	return strings.SplitSeq(strings.Map(func(r rune) rune {
		if strings.ContainsRune(commas, r) {
			return ','
		}
		return r
	}, s), ",")
}
