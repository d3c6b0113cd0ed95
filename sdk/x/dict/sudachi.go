package dict

import (
	"bufio"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
)

// Expansion control of a Sudachi head word.
const (
	sudachiAlways  = 0 // may replace the others and be replaced by them
	sudachiPassive = 1 // may replace the others, but is not replaced itself
	sudachiNever   = 2 // withdrawn
)

// headWord is one row of the Sudachi synonym dictionary.
type headWord struct {
	Control int    `json:"expandControl"`
	Word    string `json:"midashi"`
}

// Sudachi reads the synonym dictionary of Sudachi, either its source (CSV, with groups separated by blank lines) or
// JSON (a list of {"id", "items"}, as in the npm package sudachi-synonyms-dictionary). skipped counts the head words
// that cannot be written as a term. The error names the line or the group.
func Sudachi(r io.Reader) (entries []Entry, skipped int, err error) {
	in := bufio.NewReader(r)
	var groups [][]headWord
	if first, peekErr := in.Peek(1); peekErr == nil && first[0] == '[' {
		groups, err = sudachiJSON(in)
	} else {
		groups, err = sudachiCSV(in)
	}
	if err != nil {
		return nil, 0, fmt.Errorf("sudachi synonyms: %w", err)
	}
	c := collector{seen: make(map[string]bool)}
	for _, g := range groups {
		c.addGroup(g)
	}
	return c.entries, c.skipped, nil
}

func sudachiJSON(r io.Reader) (groups [][]headWord, err error) {
	dec := json.NewDecoder(r)
	if _, err := dec.Token(); err != nil {
		return nil, err
	}
	for dec.More() {
		var g struct {
			Items []headWord `json:"items"`
		}
		if err := dec.Decode(&g); err != nil {
			return nil, fmt.Errorf("group %d: %w", len(groups)+1, err)
		}
		groups = append(groups, g.Items)
	}
	if _, err := dec.Token(); err != nil {
		return nil, fmt.Errorf("after group %d: %w", len(groups), err)
	}
	return groups, nil
}

// Columns of the CSV form.
const (
	columnGroup   = 0
	columnControl = 2
	columnWord    = 8
)

func sudachiCSV(r io.Reader) (groups [][]headWord, err error) {
	in := csv.NewReader(r)
	in.FieldsPerRecord, in.LazyQuotes, in.ReuseRecord = -1, true, true
	last := ""
	for {
		row, err := in.Read()
		if errors.Is(err, io.EOF) {
			return groups, nil
		}
		if err != nil {
			return nil, err
		}
		line, _ := in.FieldPos(0)
		if len(row) <= columnWord {
			return nil, fmt.Errorf("line %d: %d columns, want at least %d", line, len(row), columnWord+1)
		}
		control := 0
		if c := row[columnControl]; c != "" {
			if control, err = strconv.Atoi(c); err != nil {
				return nil, fmt.Errorf("line %d: column %d is %q, want 0, 1 or 2", line, columnControl+1, c)
			}
		}
		if groups == nil || row[columnGroup] != last {
			groups, last = append(groups, nil), row[columnGroup]
		}
		groups[len(groups)-1] = append(groups[len(groups)-1], headWord{control, row[columnWord]})
	}
}

// collector collects entries that a file can contain, each once.
type collector struct {
	entries []Entry
	seen    map[string]bool
	skipped int
}

// addGroup turns a group into an entry of words that may replace each other, and an entry of words that may only
// replace the former.
func (c *collector) addGroup(words []headWord) {
	var active, passive []string
	for _, w := range words {
		switch w.Control {
		case sudachiAlways:
			active = c.term(active, w.Word)
		case sudachiPassive:
			passive = c.term(passive, w.Word)
		case sudachiNever:
		}
	}
	passive = slices.DeleteFunc(passive, func(t string) bool { return slices.Contains(active, t) })
	if len(active) > 1 {
		c.add(Entry{To: active})
	}
	if len(active) > 0 && len(passive) > 0 {
		c.add(Entry{From: active, To: passive})
	}
}

// term appends a word in normalised form, unless it is in the list already or cannot be written in a file.
func (c *collector) term(all []string, word string) []string {
	t, reason := fold(word)
	if reason != "" || strings.ContainsAny(t, commas+"#") || strings.Contains(t, "=>") {
		c.skipped++
		return all
	}
	if slices.Contains(all, t) {
		return all
	}
	return append(all, t)
}

func (c *collector) add(e Entry) {
	if e.check() != "" {
		c.skipped++
		return
	}
	if k := e.key(); !c.seen[k] {
		c.seen[k] = true
		c.entries = append(c.entries, e)
	}
}
