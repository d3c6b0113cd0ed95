package wire

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/RoaringBitmap/roaring/v2"

	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
	pb "github.com/sagasu-search/sagasu/sdk/x/wire/strategypb"
)

func packCorpus(s *snapshot.Snapshot) *pb.Corpus {
	return &pb.Corpus{Kind: string(s.Kind()), Dir: s.Dir(), Name: s.Name()}
}

func packRequest(req *sdk.Request) (*pb.SearchRequest, error) {
	if req.Corpus == nil {
		return nil, errors.New("request without a corpus")
	}
	scope, err := packBitmap(req.Scope)
	if err != nil {
		return nil, fmt.Errorf("scope: %w", err)
	}
	out := &pb.SearchRequest{
		Corpus: packCorpus(req.Corpus), Query: packQuery(req.Query),
		Scope: scope, Limit: uint32(req.Limit), Params: req.Params, Expand: req.Expand,
	}
	if req.Pool != nil {
		out.Pool = packCandidates(req.Pool)
	}
	out.Passages = packPassages(req.Passages)
	return out, nil
}

// unpackRequest leaves Corpus to the caller, who knows the open snapshots.
func unpackRequest(in *pb.SearchRequest) (*sdk.Request, error) {
	scope, err := unpackBitmap(in.Scope)
	if err != nil {
		return nil, fmt.Errorf("scope: %w", err)
	}
	pool, err := unpackCandidates(in.Pool)
	if err != nil {
		return nil, fmt.Errorf("pool: %w", err)
	}
	if in.Pool != nil && pool == nil {
		pool = []sdk.Candidate{}
	}
	return &sdk.Request{
		Query: unpackQuery(in.Query), Scope: scope, Limit: int(in.Limit), Pool: pool, Params: in.Params,
		Passages: unpackPassages(in.Passages), Expand: in.Expand,
	}, nil
}

func packQuery(q sdk.Query) *pb.Query {
	out := &pb.Query{
		Raw: valid(q.Raw), Intent: string(q.Intent), Text: valid(q.Text),
		MatchThreshold: q.MatchThreshold,
	}
	for _, t := range q.Terms {
		out.Terms = append(out.Terms, &pb.Term{
			Text: valid(t.Text), Kind: string(t.Kind), Phrase: t.Phrase, Weight: t.Weight,
		})
	}
	return out
}

func unpackQuery(in *pb.Query) sdk.Query {
	q := sdk.Query{
		Raw: in.GetRaw(), Intent: sdk.Intent(in.GetIntent()), Text: in.GetText(),
		MatchThreshold: in.GetMatchThreshold(),
	}
	for _, t := range in.GetTerms() {
		q.Terms = append(q.Terms, sdk.Term{
			Text: t.Text, Kind: sdk.TermKind(t.Kind), Phrase: t.Phrase, Weight: t.Weight,
		})
	}
	return q
}

// valid replaces invalid UTF-8, which a proto string cannot contain.
func valid(s string) string { return strings.ToValidUTF8(s, "\uFFFD") }

// packResult keeps no reference to memory of the snapshot.
func packResult(res *sdk.Result) (*pb.SearchResponse, error) {
	matched, err := packBitmap(res.Matched)
	if err != nil {
		return nil, fmt.Errorf("matched: %w", err)
	}
	out := &pb.SearchResponse{
		Candidates: packCandidates(res.Candidates), Matched: matched,
		Examined: uint64(max(res.Examined, 0)), Finished: res.Finished,
		Confidence: res.Confidence, Answers: packAnswers(res.Answers), Tensions: packTensions(res.Tensions),
		Expansion: packTerms(res.Expansion),
	}
	for _, w := range res.Warnings {
		out.Warnings = append(out.Warnings, strings.Clone(valid(w)))
	}
	return out, nil
}

func unpackResult(in *pb.SearchResponse) (*sdk.Result, error) {
	candidates, err := unpackCandidates(in.Candidates)
	if err != nil {
		return nil, err
	}
	matched, err := unpackBitmap(in.Matched)
	if err != nil {
		return nil, fmt.Errorf("matched: %w", err)
	}
	answers, err := unpackAnswers(in.Answers)
	if err != nil {
		return nil, err
	}
	tensions, err := unpackTensions(in.Tensions)
	if err != nil {
		return nil, err
	}
	return &sdk.Result{
		Candidates: candidates, Matched: matched,
		Examined: int(min(in.Examined, math.MaxInt32)), Finished: in.Finished,
		Warnings: in.Warnings, Confidence: in.Confidence,
		Answers: answers, Tensions: tensions, Expansion: unpackTerms(in.Expansion),
	}, nil
}

// maxWords is the maximum number of signals, or of terms, of all rows. Each takes one byte in the message and many more
// in memory.
const maxWords = 1 << 20

var errColumns = errors.New("columns of different lengths")

// packCandidates turns rows into columns. It copies strings that point into a mapped snapshot, since the message may be
// encoded after the snapshot is released.
func packCandidates(rows []sdk.Candidate) *pb.Candidates {
	out := &pb.Candidates{
		Sections: make([]uint32, len(rows)),
		Scores:   make([]float64, len(rows)),

		SignalCounts: make([]uint32, len(rows)), TermCounts: make([]uint32, len(rows)),
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
		if row.Measured && out.Measured == nil {
			out.Measured = make([]bool, len(rows))
		}
		if out.Measured != nil {
			out.Measured[i] = row.Measured
		}
		out.SignalCounts[i], out.TermCounts[i] = uint32(len(row.Signals)), uint32(len(row.Terms))
		out.Signals, out.Terms = table.add(out.Signals, row.Signals), table.add(out.Terms, row.Terms)
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

// stringTable contains each string of a message once.
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
			w = strings.Clone(valid(w))
			t.strings = append(t.strings, w)
			t.index[w] = i
		}
		column = append(column, i)
	}
	return column
}

// unpackCandidates is the inverse of packCandidates. It checks every length and every index.
func unpackCandidates(in *pb.Candidates) ([]sdk.Candidate, error) {
	n := len(in.GetSections())
	if n == 0 {
		return nil, nil
	}
	if len(in.Scores) != n || len(in.Coverages) != 0 && len(in.Coverages) != n ||
		len(in.Measured) != 0 && len(in.Measured) != n {
		return nil, errColumns
	}
	rows := make([]sdk.Candidate, n)
	signals := func(i int, words []string) { rows[i].Signals = words }
	terms := func(i int, words []string) { rows[i].Terms = words }
	if err := errors.Join(
		unpackStrings(n, in.SignalCounts, in.Signals, in.Strings, signals),
		unpackStrings(n, in.TermCounts, in.Terms, in.Strings, terms),
	); err != nil {
		return nil, err
	}
	for i := range rows {
		rows[i].Section, rows[i].Score = in.Sections[i], in.Scores[i]
		if len(in.Coverages) != 0 {
			rows[i].Coverage = in.Coverages[i]
		}
		if len(in.Measured) != 0 {
			rows[i].Measured = in.Measured[i]
		}
	}
	return rows, nil
}

// wordsAtOnce is the number of words for which memory is allocated at once.
const wordsAtOnce = 128

// unpackStrings splits a column of indexes into the strings of n rows, and calls set for each row that has any.
// Consecutive rows with equal strings share them.
func unpackStrings(
	n int, counts, column []uint32, table []string, set func(row int, words []string),
) error {
	if len(counts) == 0 && len(column) == 0 {
		return nil
	}
	if len(counts) != n {
		return errColumns
	}
	if len(column) > maxWords {
		return fmt.Errorf("candidates: %d words", len(column))
	}
	var last []uint32
	var words, room []string
	for i, count := range counts {
		if int(count) > len(column) {
			return errColumns
		}
		row := column[:count]
		if column = column[count:]; !slices.Equal(row, last) {
			if len(row) > cap(room)-len(room) {
				room = make([]string, 0, max(len(row), wordsAtOnce))
			}
			from := len(room)
			for _, at := range row {
				if int(at) >= len(table) {
					return errors.New("candidates: index outside the string table")
				}
				room = append(room, table[at])
			}
			last, words = row, slices.Clip(room[from:])
		}
		if count > 0 {
			set(i, words)
		}
	}
	if len(column) != 0 {
		return errColumns
	}
	return nil
}

func packDescription(d sdk.Description) *pb.Description {
	out := &pb.Description{
		Name: d.Name, Version: d.Version, Stage: string(d.Stage),
		Signals: slices.Clone(d.Signals), Weight: d.Weight, ConfigSchema: d.ConfigSchema,
		Admitting: slices.Clone(d.Admitting), Summary: valid(d.Summary), License: valid(d.License), Sdk: valid(d.SDK),
		Expands: d.Expands,
	}
	for _, kind := range d.Corpora {
		out.Corpora = append(out.Corpora, string(kind))
	}
	return out
}

func unpackDescription(in *pb.Description) sdk.Description {
	d := sdk.Description{
		Name: in.Name, Version: in.Version, Stage: sdk.Stage(in.Stage),
		Signals: in.Signals, Weight: in.Weight, ConfigSchema: bytes.Clone(in.ConfigSchema),
		Admitting: in.Admitting, Summary: in.Summary, License: in.License, SDK: in.Sdk,
		Expands: in.Expands,
	}
	for _, kind := range in.Corpora {
		d.Corpora = append(d.Corpora, snapshot.Kind(kind))
	}
	return d
}

// packBitmap returns the portable form of b, or nil if b is nil.
func packBitmap(b *roaring.Bitmap) ([]byte, error) {
	if b == nil {
		return nil, nil
	}
	return b.ToBytes()
}

// unpackBitmap is the inverse of packBitmap for untrusted bytes.
func unpackBitmap(data []byte) (*roaring.Bitmap, error) {
	if data == nil {
		return nil, nil
	}
	return snapshot.DecodeBitmap(data)
}
