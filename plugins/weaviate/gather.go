package weaviate

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
	"github.com/sagasu-search/sagasu/sdk/x/guard"
)

// k1 and b are the parameters of the engine's BM25. They make the score little more than the sum of the inverse
// document frequencies of a section's terms. Term frequencies only break ties.
const k1, b = 0.1, 0.0

// reach is the engine's maximum number of results of a query over all pages (QUERY_MAXIMUM_RESULTS).
const reach = 10_000

// found is an object as the engine lists it.
type found struct {
	Hash       string   `json:"hash"`
	Order      string   `json:"order"`
	Section    string   `json:"section"`
	Stored     []string `json:"stored"`
	Counts     string   `json:"counts"`
	Additional struct {
		ID    string `json:"id"`
		Score string `json:"score"`
	} `json:"_additional"`
}

const pathQuery = "/v1/graphql"

// get requests objects of a class. arguments and properties are GraphQL.
func (n *nodes) get(ctx context.Context, class, arguments, properties string) (rows []found, err error) {
	query := map[string]string{"query": fmt.Sprintf("{Get{%s(%s){%s}}}", class, arguments, properties)}
	err = n.call(ctx, http.MethodPost, pathQuery, query, func(data []byte) error {
		var reply struct {
			Data struct {
				Get map[string][]found
			} `json:"data"`
			Errors []struct{} `json:"errors"`
		}
		if err := into(&reply)(data); err != nil {
			return err
		}
		if rows = reply.Data.Get[class]; rows == nil || len(reply.Errors) > 0 {
			return errQuery
		}
		return nil
	})
	return rows, err
}

// errQuery replaces the engine's own message, which repeats the query.
var errQuery = errors.New("the engine could not answer the query")

// list returns the objects of a class that follow an identifier, with their hashes. It fails if they do not, since
// callers would never come to an end.
func (n *nodes) list(ctx context.Context, class, after string) ([]found, error) {
	rows, err := n.get(ctx, class, fmt.Sprintf("limit:%d,after:%s", page, quote(after)), propHash+" _additional{id}")
	if err == nil && len(rows) > 0 && rows[len(rows)-1].Additional.ID <= after {
		return nil, errAnswer
	}
	return rows, err
}

// quote returns a string as a GraphQL literal, which has the same form as in JSON.
func quote(s string) string {
	data, _ := json.Marshal(s)
	return string(data)
}

// where returns the condition for a filter and further conditions, or "" if there are none.
func where(f sdk.GatherFilter, more ...string) string {
	all := more
	any := func(words []string) {
		data, _ := json.Marshal(words)
		all = append(all, fmt.Sprintf("{path:[%q],operator:ContainsAny,valueText:%s}", propKeywords, data))
	}
	if len(f.Groups) > 0 {
		var words []string
		for _, g := range f.Groups {
			words = append(words, "group:"+g)
		}
		any(words)
	}
	if f.Path != "" {
		all = append(all, fmt.Sprintf("{path:[%q],operator:Equal,valueText:%s}", propKeywords, quote(at(f.Path))))
	}
	for _, words := range f.Keywords {
		any(words)
	}
	if len(all) == 0 {
		return ""
	}
	return ",where:{operator:And,operands:[" + strings.Join(all, ",") + "]}"
}

// heaviest is how often the heaviest term of a query is repeated. The engine has no other way to weight terms.
const heaviest = 20

// words returns the terms of a query for the engine.
func words(terms []sdk.GatherTerm) string {
	most := 0.0
	for _, t := range terms {
		most = max(most, t.Weight)
	}
	var out []string
	for _, t := range terms {
		times := max(1, int(math.Round(heaviest*t.Weight/most)))
		out = append(out, slices.Repeat([]string{escape(t.Text)}, times)...)
	}
	return strings.Join(out, " ")
}

// ranked gathers the best sections for the terms. The cursor is the number of earlier sections. They are requested
// again and dropped, since the engine's pages are inconsistent among sections with equal scores.
func (c *collection) ranked(ctx context.Context, class string, req *sdk.GatherRequest, out *sdk.Gathered) error {
	from, err := strconv.Atoi(cmp.Or(req.Cursor, "0"))
	if err != nil || from < 0 || from >= reach {
		return errCursor
	}
	best := func(limit int, properties string) ([]found, error) {
		return c.nodes.get(ctx, class, fmt.Sprintf("bm25:{query:%s,properties:[%q]},limit:%d%s",
			quote(words(req.Terms)), propTokens, limit, where(req.Filter)), properties)
	}
	before := map[string]bool{}
	if from > 0 {
		rows, err := best(from, "_additional{id}")
		if err != nil {
			return err
		}
		for _, row := range rows {
			before[row.Additional.ID] = true
		}
	}
	limit := min(from+req.Limit, reach)
	rows, err := best(limit, asked(out)+" _additional{id score}")
	if err != nil {
		return err
	}
	out.Total, out.Exact = len(rows), len(rows) < limit
	if !out.Exact && limit < reach {
		out.Cursor = strconv.Itoa(limit)
	}
	rows = slices.DeleteFunc(rows, func(row found) bool { return before[row.Additional.ID] })
	return take(rows[:min(len(rows), req.Limit)], out)
}

// listed gathers the sections that pass the filter, in order. The cursor is the position of the last one. A caller who
// asks for one section only wants to know whether there is any, so it is not sorted: sorting a million takes the engine
// seconds.
func (c *collection) listed(ctx context.Context, class string, req *sdk.GatherRequest, out *sdk.Gathered) error {
	var more []string
	if req.Cursor != "" {
		more = append(more, fmt.Sprintf("{path:[%q],operator:GreaterThan,valueText:%s}", propOrder, quote(req.Cursor)))
	}
	sort := fmt.Sprintf("sort:[{path:[%q],order:asc}],", propOrder)
	if req.Limit == 1 && req.Cursor == "" {
		sort = ""
	}
	rows, err := c.nodes.get(ctx, class, fmt.Sprintf("%slimit:%d%s", sort, req.Limit, where(req.Filter, more...)),
		asked(out)+" "+propOrder+" _additional{id}")
	if err != nil {
		return err
	}
	out.Total, out.Exact = len(rows), len(rows) < req.Limit && req.Cursor == ""
	if len(rows) == req.Limit && sort != "" {
		out.Cursor = rows[len(rows)-1].Order
	}
	return take(rows, out)
}

// sampled gathers sections that represent the collection: the first by identifier, which is a hash.
func (c *collection) sampled(ctx context.Context, class string, req *sdk.GatherRequest, out *sdk.Gathered) error {
	rows, err := c.nodes.get(ctx, class, fmt.Sprintf("limit:%d,after:%s", req.Limit, quote(uuid{}.String())),
		asked(out)+" _additional{id}")
	if err != nil {
		return err
	}
	out.Total = len(rows)
	return take(rows, out)
}

// asked returns the properties of a section that a request needs.
func asked(out *sdk.Gathered) string {
	if len(out.Stored) > 0 {
		return propSection + " " + propStored
	}
	return propSection
}

// take decodes the sections of an answer.
func take(rows []found, out *sdk.Gathered) error {
	out.Sections = make([]sdk.GatheredSection, len(rows))
	for i, row := range rows {
		s := &out.Sections[i]
		if err := json.Unmarshal([]byte(row.Section), s); err != nil {
			return errAnswer
		}
		s.Fields = append(s.Fields, row.Stored...)
		s.Key = row.Additional.ID
		s.Score, _ = strconv.ParseFloat(cmp.Or(row.Additional.Score, "0"), 64)
	}
	return nil
}

var (
	errCursor  = errors.New("the cursor is not one of this collection")
	errChanged = errors.New("the collection has changed since: search again")
)

// gather implements [sdk.Gatherer].
func (c *collection) gather(ctx context.Context, req *sdk.GatherRequest) (*sdk.Gathered, error) {
	now, err := c.state(ctx)
	if err != nil {
		return nil, err
	}
	held := &now.class.state
	out := &sdk.Gathered{
		Generation: now.class.generation(), Answered: now.answered, Expected: now.class.Sharding.Count,
		Statistics: snapshot.Statistics{Sections: held.Sections, Lengths: held.Lengths},
	}
	if req.Stored {
		out.Stored = held.Stored
	}
	switch {
	case req.Generation != "" && req.Generation != out.Generation:
		return nil, errChanged
	case req.Kind != held.Kind:
		return nil, fmt.Errorf("the collection holds sections of kind %s, not %s", held.Kind, req.Kind)
	case req.Sample:
		err = c.sampled(ctx, now.class.Class, req, out)
	case len(req.Terms) == 0:
		err = c.listed(ctx, now.class.Class, req, out)
	default:
		err = cmp.Or(guard.Each(2, func(i int) (err error) {
			if i == 0 {
				return c.ranked(ctx, now.class.Class, req, out)
			}
			out.Statistics.DocFreqs, err = c.docFreqs(ctx, now.class, req.Terms)
			return err
		})...)
	}
	if err != nil {
		return nil, err
	}
	if !out.Exact && len(req.Terms) > 0 && where(req.Filter) == "" {
		for _, n := range out.Statistics.DocFreqs {
			out.Total = max(out.Total, n)
		}
	}
	out.Exact = out.Exact && held.Revision%2 == 0
	return out, nil
}
