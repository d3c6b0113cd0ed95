package lane

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/sagasu-search/sagasu/framework/internal/patents/publication"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
	"github.com/sagasu-search/sagasu/sdk/x/patentquery"
)

// Types of lanes. Each is a strategy of this name.
const (
	Fulltext = "fulltext"
	Semantic = "semantic"

	originalDense = "original_dense" // another name of Semantic (docs/rrf.md)
)

// Bounds and orders of a lane's result (docs/rrf.md).
const (
	defaultTopK = 500
	MaxTopK     = 100_000

	sortScore = "score"
	sortNew   = "date_desc"
	sortOld   = "date_asc"
)

var (
	laneTypes = []string{Fulltext, Semantic, originalDense}
	sorts     = []string{sortScore, sortNew, sortOld}
)

// Ask is a request to a lane. Zero values mean "not given".
type Ask struct {
	Call
	Tool        string `json:"tool" enum:"rrf_search_fulltext_raw,search_fulltext,fulltext,rrf_search_semantic_raw,search_semantic,semantic" doc:"Says the type as well; its arguments may stand in an object params."`
	Lane        string `json:"lane" doc:"The type, where lane_name does not begin with it: fulltext, semantic or original_dense, which is semantic."`
	Query       string `json:"query" doc:"Of a fulltext lane, as in rrf_search_fulltext_raw."`
	Text        string `json:"text" doc:"Of a semantic lane: sentences, no keywords."`
	FieldBoosts Boosts `json:"field_boosts" min:"0" doc:"Weights of title, abst, claim and desc in the score; 40, 10, 5 and 4 when not given."`
	Options

	// Refused says why the caller's object cannot be read; the lane fails with it.
	Refused error `json:"-"`
}

// PrepareArguments implements [toolset.Preparer].
func (a *Ask) PrepareArguments(args *toolset.Arguments) { args.Lift("params") }

// Include says what a search shows of its results.
type Include struct {
	Codes     bool `json:"codes"`
	CodeFreqs bool `json:"code_freqs"`
	Scores    bool `json:"scores"`
}

// Options are the options of lanes of every type.
type Options struct {
	LaneName     string  `json:"lane_name" doc:"Begins with the lane's type: fulltext_recall, fulltext_precision, semantic. lane_weights go by it."`
	Filters      Filters `json:"filters"`
	TopK         *int    `json:"top_k" min:"1" max:"100000" default:"500" doc:"How many of the best are kept."`
	Sort         string  `json:"sort" doc:"score (default), date_desc or date_asc."`
	FeatureScope string  `json:"feature_scope" doc:"The texts that are looked at: wide (all, default), title_abst_claims, claims_only; fulltext lanes also top_claim, background_jp."`

	Include *Include  `json:"include" doc:"code_freqs counts the codes of what was found; codes and scores list the best 30 as items."`
	Fields  TextNames `json:"fields" doc:"Texts of the best 30, cut short, in items: of title, abst, claim, desc."`
}

// FulltextArgs ask a fulltext lane.
type FulltextArgs struct {
	Call
	Query       string `json:"query" required:"a boolean query such as (顔認証 OR 顔識別) AND マスク" doc:"AND OR NOT, brackets, \"phrase\", term*, title:term, *N30\"a b\" (within 30 characters), *ONP30\"a b\" (in this order), a NEAR5 b and a ADJ5 b (words), ipc:G06V10, cpc:, fi:, ft:, applicant:; words side by side are joined by AND."`
	FieldBoosts Boosts `json:"field_boosts" min:"0" doc:"Weights of title, abst, claim and desc in the score; 40, 10, 5 and 4 when not given."`
	Options
}

// Ask returns what is asked of the lane.
func (a FulltextArgs) Ask() Ask {
	return Ask{Call: a.Call, Lane: Fulltext, Query: a.Query, FieldBoosts: a.FieldBoosts, Options: a.Options}
}

// SemanticArgs ask a semantic lane.
type SemanticArgs struct {
	Call
	Text string `json:"text" required:"one or more sentences that describe what is sought" doc:"Sentences that describe what is sought, its problem and its means; no keywords."`
	Options
}

// Ask returns what is asked of the lane.
func (a SemanticArgs) Ask() Ask {
	return Ask{Call: a.Call, Lane: Semantic, Text: a.Text, Options: a.Options}
}

// search is an Ask that was found good.
type search struct {
	request Request
	trace   string
	include Include
	fields  TextNames        // to show; nil for none
	node    patentquery.Node // of a fulltext lane
	params  patentquery.Params
}

// check reads an ask and fills in the defaults.
func (a Ask) check() (*search, error) {
	if a.Refused != nil {
		return nil, a.Refused
	}
	kind, err := a.kind()
	if err != nil {
		return nil, err
	}
	s := &search{request: Request{
		Lane: kind, LaneName: cmp.Or(a.LaneName, a.Lane, kind), Filters: publication.Filters{},
		FeatureScope: cmp.Or(a.FeatureScope, string(patentquery.Wide)), Sort: cmp.Or(a.Sort, sortScore),
		TopK: defaultTopK,
	}, trace: a.TraceID}
	if err := s.shows(a.Options); err != nil {
		return nil, err
	}
	if a.TopK != nil {
		s.request.TopK = *a.TopK
	}
	switch {
	case s.request.TopK < 1 || s.request.TopK > MaxTopK:
		return nil, wrong("top_k", s.request.TopK, fmt.Sprintf("an integer from 1 to %d", MaxTopK))
	case !slices.Contains(sorts, s.request.Sort):
		return nil, near(wrong("sort", a.Sort, "one of "+strings.Join(sorts, ", ")), a.Sort, sorts)
	}
	filters, bad := publication.ParseFilters(json.RawMessage(a.Filters))
	if bad != nil {
		return nil, bad
	}
	s.request.Filters = append(s.request.Filters, filters...)
	if kind == Semantic {
		return s, s.readSemantic(a)
	}
	return s, s.readFulltext(a)
}

// shows reads what is shown of what is found.
func (s *search) shows(o Options) error {
	if o.Include != nil {
		s.include = *o.Include
	}
	if s.fields = o.Fields; s.fields == nil && (s.include.Codes || s.include.Scores) {
		s.fields = TextNames{}
	}
	_, err := Cutting{Fields: s.fields}.check()
	return err
}

// kind returns the type of the lane.
func (a Ask) kind() (string, error) {
	parameter, given := "lane", a.Lane
	if a.Lane == "" {
		parameter, given = "lane_name", a.LaneName
	}
	if a.Tool != "" {
		by := strings.TrimSuffix(strings.TrimPrefix(strings.TrimPrefix(a.Tool, "rrf_"), "search_"), "_raw")
		if kind, err := (Ask{Lane: a.Lane}).kind(); a.Lane != "" && (err != nil || kind != by) {
			return "", wrong("tool", a.Tool, "that of the lane "+a.Lane+", or left out")
		}
		return by, nil
	}
	for _, t := range laneTypes {
		rest, ok := strings.CutPrefix(given, t)
		if !ok || rest != "" && (parameter == "lane" || rest[0] != '_' && rest[0] != '-') {
			continue
		}
		if t == originalDense {
			return Semantic, nil
		}
		return t, nil
	}
	expected := "one of " + strings.Join(laneTypes, ", ")
	if parameter == "lane_name" {
		expected = "a name that begins with the lane's type, such as fulltext_recall or semantic; " +
			"or give lane: " + expected
	}
	return "", near(wrong(parameter, given, expected), given, laneTypes)
}

func near(err *toolset.Error, got string, among []string) *toolset.Error {
	if close := toolset.DidYouMean(got, among, 3); len(close) > 0 {
		err = err.With("did_you_mean", close)
	}
	return err
}

func (s *search) readFulltext(a Ask) (err error) {
	if a.Text != "" {
		return wrong("text", a.Text, "left out: a fulltext lane takes a boolean query in query")
	}
	if s.params.FieldBoosts, err = boosts(a.FieldBoosts); err != nil {
		return err
	}
	s.params.FeatureScope = patentquery.Scope(s.request.FeatureScope)
	if err := checkScope(s.params.FeatureScope, patentquery.Scopes[:]); err != nil {
		return err
	}
	s.request.FieldBoosts, s.request.Query = s.params.FieldBoosts, a.Query
	s.node, err = parseQuery(a.Query)
	return err
}

// parseQuery reads a query. Its error holds the position, what was found and expected, and a
// query that can be read.
func parseQuery(query string) (patentquery.Node, error) {
	node, err := patentquery.Parse(query)
	if bad, ok := errors.AsType[*patentquery.SyntaxError](err); ok {
		return nil, toolset.Errorf(toolset.InvalidQuery, "the query cannot be read at character %d: "+
			"found %s, expected %s; try the example", bad.Position, bad.Found, bad.Expected).
			Argument("query", toolset.First(query, 1000), bad.Expected).With("position", bad.Position).
			With("found", bad.Found).With("example", map[string]any{"query": bad.Example})
	}
	return node, err
}

// boosts returns the weights of all fields.
func boosts(given map[string]float64) (map[string]float64, error) {
	if err := checkWeights("field_boosts", given, publication.Texts()); err != nil {
		return nil, err
	}
	all := map[string]float64{}
	for i, f := range patentquery.Fields {
		all[string(f)] = patentquery.DefaultBoosts[i]
		if w, ok := given[string(f)]; ok {
			all[string(f)] = w
		}
	}
	return all, nil
}

func checkScope(scope patentquery.Scope, among []patentquery.Scope) error {
	if slices.Contains(among, scope) {
		return nil
	}
	names := make([]string, len(among))
	for i, s := range among {
		names[i] = string(s)
	}
	return near(wrong("feature_scope", string(scope), "one of "+strings.Join(names, ", ")), string(scope), names)
}

func (s *search) readSemantic(a Ask) error {
	switch {
	case a.Query != "":
		return wrong("query", a.Query, "left out: a semantic lane takes sentences in text")
	case a.FieldBoosts != nil:
		return wrong("field_boosts", a.FieldBoosts,
			"left out: a semantic lane compares whole texts; feature_scope says which")
	case strings.TrimSpace(a.Text) == "":
		return wrong("text", a.Text, "one or more sentences that describe what is sought")
	}
	s.request.Text = a.Text
	s.params.FeatureScope = patentquery.Scope(s.request.FeatureScope)
	return checkScope(s.params.FeatureScope, semanticScopes)
}

// semanticScopes are the scopes that vectors are kept for.
var semanticScopes = []patentquery.Scope{patentquery.Wide, patentquery.TitleAbstClaims, patentquery.ClaimsOnly}

// ask returns the ask that a request came from.
func (r Request) ask() Ask {
	filters, _ := json.Marshal(r.Filters) // they came from JSON
	return Ask{Lane: r.Lane, Query: r.Query, Text: r.Text, FieldBoosts: r.FieldBoosts, Options: Options{
		LaneName: r.LaneName, Filters: filters, FeatureScope: r.FeatureScope, Sort: r.Sort, TopK: &r.TopK,
	}}
}
