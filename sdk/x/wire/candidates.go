package wire

import (
	"errors"
	"fmt"
	"strings"

	"github.com/sagasu-search/sagasu/sdk"
	pb "github.com/sagasu-search/sagasu/sdk/x/wire/strategypb"
)

// maxWords bounds the signals, or the terms, of all rows: each is a byte on its way and
// many more where it arrives.
const maxWords = 1 << 20

var errColumns = errors.New("candidates: columns of different lengths")

// packCandidates turns rows into columns. The message owns its memory:
// strings that are views of a mapped snapshot are copied, since the message is
// encoded after the snapshot may have been let go.
func packCandidates(rows []sdk.Candidate) *pb.Candidates {
	out := &pb.Candidates{
		Sections: make([]uint32, len(rows)),
		Scores:   make([]float64, len(rows)),
	}
	table := stringTable{index: map[string]uint32{}}
	for i, row := range rows {
		out.Sections[i], out.Scores[i] = row.Section, row.Score
		if row.Coverage != 0 && out.Coverages == nil {
			out.Coverages = make([]float64, len(rows))
		}
		if out.Coverages != nil {
			out.Coverages[i] = row.Coverage
		}
		out.SignalCounts = append(out.SignalCounts, uint32(len(row.Signals)))
		out.Signals = table.add(out.Signals, row.Signals)
		out.TermCounts = append(out.TermCounts, uint32(len(row.Terms)))
		out.Terms = table.add(out.Terms, row.Terms)
	}
	if len(out.Signals) == 0 {
		out.SignalCounts = nil
	}
	if len(out.Terms) == 0 {
		out.TermCounts = nil
	}
	out.Strings = table.strings
	return out
}

// stringTable holds each string of a message once.
type stringTable struct {
	strings []string
	index   map[string]uint32
}

// add appends the indexes of words to column.
func (t *stringTable) add(column []uint32, words []string) []uint32 {
	for _, w := range words {
		i, ok := t.index[w]
		if !ok {
			i = uint32(len(t.strings))
			w = strings.Clone(strings.ToValidUTF8(w, "\uFFFD"))
			t.strings = append(t.strings, w)
			t.index[w] = i
		}
		column = append(column, i)
	}
	return column
}

// unpackCandidates is the inverse of packCandidates and trusts no length and
// no index.
func unpackCandidates(in *pb.Candidates) ([]sdk.Candidate, error) {
	n := len(in.GetSections())
	if n == 0 {
		return nil, nil
	}
	if len(in.Scores) != n || len(in.Coverages) != 0 && len(in.Coverages) != n {
		return nil, errColumns
	}
	signals, err := unpackStrings(n, in.SignalCounts, in.Signals, in.Strings)
	if err != nil {
		return nil, err
	}
	terms, err := unpackStrings(n, in.TermCounts, in.Terms, in.Strings)
	if err != nil {
		return nil, err
	}
	rows := make([]sdk.Candidate, n)
	for i := range rows {
		rows[i] = sdk.Candidate{Section: in.Sections[i], Score: in.Scores[i], Signals: signals[i], Terms: terms[i]}
		if len(in.Coverages) != 0 {
			rows[i].Coverage = in.Coverages[i]
		}
	}
	return rows, nil
}

// unpackStrings cuts a column of indexes into the strings of n rows.
func unpackStrings(n int, counts, column []uint32, table []string) ([][]string, error) {
	rows := make([][]string, n)
	if len(counts) == 0 && len(column) == 0 {
		return rows, nil
	}
	if len(counts) != n {
		return nil, errColumns
	}
	if len(column) > maxWords {
		return nil, fmt.Errorf("candidates: %d words", len(column))
	}
	words := make([]string, len(column))
	for i, at := range column {
		if int(at) >= len(table) {
			return nil, errors.New("candidates: index outside the string table")
		}
		words[i] = table[at]
	}
	for i, count := range counts {
		if int(count) > len(words) {
			return nil, errColumns
		}
		if count > 0 {
			rows[i] = words[:count:count]
		}
		words = words[count:]
	}
	if len(words) != 0 {
		return nil, errColumns
	}
	return rows, nil
}
