package weaviate

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"regexp"

	"github.com/sagasu-search/sagasu/sdk/snapshot"
)

// layout changes whenever the stored form of a section changes.
const layout = "1"

// generation returns the name of the class for a corpus as this program splits and stores it. Another version, kind,
// schema or choice of stored fields has another class.
func (a address) generation(kind snapshot.Kind, fields, stored []string) string {
	h := sha256.New()
	fmt.Fprintf(h, "%s %d %s %q %q", layout, snapshot.FormatVersion, kind, fields, new(cutter).terms(probe))
	for _, name := range stored {
		fmt.Fprintf(h, " %q", name)
	}
	return a.alias() + "_" + hex.EncodeToString(h.Sum(nil)[:4])
}

// probe is a text whose terms change if the tokenisation changes.
const probe = "サーバー・クライアントのＲＡＩＤ 1 を引っ越しする時、第三条 fooBar.baz_qux v1.2.3 30 ms running don't C++ naïve"

// generations matches the names of a collection's classes.
func (a address) generations() *regexp.Regexp {
	return regexp.MustCompile("^" + a.alias() + "_[0-9a-f]{8}$")
}

// Properties of a class.
const (
	propTokens   = "tokens"   // terms of all fields, separated by spaces
	propKeywords = "keywords" // keywords of the section, its group, file and folders
	propOrder    = "order"    // group, path and line, in sortable form
	propSection  = "section"  // the section as JSON
	propStored   = "stored"   // texts of stored fields
	propHash     = "hash"     // hash of the section as JSON; stored fields depend on that JSON
	propCounts   = "counts"   // for a class of terms: document frequencies by term, as JSON
)

// termsOf returns the name of the class with the document frequencies of another.
func termsOf(class string) string { return class + "_terms" }

// state is stored in the description of a class, because all nodes agree on the schema.
type state struct {
	Format   string        `json:"sagasu"`
	Kind     snapshot.Kind `json:"kind"`
	Fields   []string      `json:"fields"`
	Stored   []string      `json:"stored,omitempty"` // names of stored fields
	Revision int           `json:"revision"`         // odd while an upload changes it
	Sections int           `json:"sections"`
	Buckets  int           `json:"buckets"` // number of objects with document frequencies
	Lengths  []float64     `json:"lengths"`
	// Digests of the state in which the last upload left the class and the class of its terms; see [comparison].
	Digests     string `json:"digests,omitempty"`
	TermDigests string `json:"term_digests,omitempty"`
}

// class is the part of a class's definition that is read.
type class struct {
	Class       string `json:"class"`
	Description string `json:"description"`
	Sharding    struct {
		Count int `json:"actualCount"`
	} `json:"shardingConfig"`
	state state
}

// generation identifies the state of the class for a request.
func (c *class) generation() string { return fmt.Sprintf("%s.%d", c.Class, c.state.Revision) }

// errForeign means that a class is not one of ours.
var errForeign = errors.New("the class of that name was not made by this version of sagasu index --to")

// property defines a text property that is split into words, kept whole for filters, or only stored.
func property(name, kind, cut string, filter, search bool) map[string]any {
	return map[string]any{
		"name": name, "dataType": []string{kind}, "tokenization": cut,
		"indexFilterable": filter, "indexSearchable": search,
	}
}

// mostReplicas is the number of replicas of a section, if there are enough nodes.
const mostReplicas = 3

// define creates a class on that number of nodes. Each contains a replica of one shard: a query reads as many sections
// from every shard as it returns, and each shard has its own document frequencies.
func (n *nodes) define(ctx context.Context, name string, s state, nodes int, properties ...map[string]any) error {
	described, _ := json.Marshal(s)
	replicas := min(nodes, mostReplicas)
	definition := map[string]any{
		"class": name, "description": string(described), "properties": properties,
		"vectorizer": "none", "vectorIndexConfig": map[string]any{"skip": true},
		"invertedIndexConfig": map[string]any{
			"bm25": map[string]any{"k1": k1, "b": b}, "stopwords": map[string]any{"preset": "none"},
		},
		"replicationConfig": map[string]any{"factor": replicas},
		"shardingConfig":    map[string]any{"desiredCount": (nodes + replicas - 1) / replicas},
	}
	return n.call(ctx, http.MethodPost, "/v1/schema", definition, ignore)
}

// class reads the definition of a class by its name or alias. If it fails with errForeign, it still returns the
// definition.
func (n *nodes) class(ctx context.Context, name string) (*class, error) {
	var out class
	err := n.call(ctx, http.MethodGet, "/v1/schema/"+url.PathEscape(name), nil, into(&out))
	if err != nil {
		return nil, err
	}
	if json.Unmarshal([]byte(out.Description), &out.state) != nil || out.state.Format != layout {
		return &out, errForeign
	}
	return &out, nil
}

// current reads the definition of the class that an alias names. It asks the leader for the alias, since other nodes
// learn of changes later.
func (n *nodes) current(ctx context.Context, alias string) (*class, error) {
	var of struct{ Class string }
	err := n.call(ctx, http.MethodGet, "/v1/aliases/"+alias, nil, into(&of))
	if missing(err) { // the alias may be the name of a class
		return n.class(ctx, alias)
	}
	if err != nil {
		return nil, err
	}
	return n.class(ctx, of.Class)
}

// describe replaces the state in the description of a class. The rest of the definition is sent back unchanged.
func (n *nodes) describe(ctx context.Context, name string, s state) error {
	path := "/v1/schema/" + url.PathEscape(name)
	var all map[string]json.RawMessage
	if err := n.call(ctx, http.MethodGet, path, nil, into(&all)); err != nil {
		return err
	}
	described, _ := json.Marshal(s)
	all["description"], _ = json.Marshal(string(described))
	return n.call(ctx, http.MethodPut, path, all, ignore)
}

// into returns a function that decodes an answer into v.
func into(v any) func([]byte) error {
	return func(data []byte) error {
		if err := json.Unmarshal(data, v); err != nil {
			return fmt.Errorf("%w: %w", errAnswer, err)
		}
		return nil
	}
}

func ignore([]byte) error { return nil }

// errAnswer means that an answer does not have the form of the API.
var errAnswer = errors.New("the engine gave an unusable answer")
