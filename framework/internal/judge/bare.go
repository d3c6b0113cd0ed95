package judge

import "strings"

// bare reports a query that only names an amount or a numbered thing (5,000円, 別表1).
// It has no subject on which two texts could disagree: what stands beside the number
// in one is seldom what stands there in the other.
func (q *question) bare() bool {
	rest := q.norm
	for i := range q.things {
		rest = strings.Replace(rest, q.things[i].text, "", 1)
	}
	if rest == "" {
		return true
	}
	end := numberEnd(rest, 0)
	u, name := unitAt(strings.TrimLeft(rest[end:], " "))
	return end > 0 && isDigit(rest[0]) && u.dimension != "" && strings.TrimLeft(rest[end:], " ") == name
}
