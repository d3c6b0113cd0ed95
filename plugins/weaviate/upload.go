package weaviate

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"slices"
	"sync"
	"time"

	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/text"
	"github.com/sagasu-search/sagasu/sdk/x/guard"
	"github.com/sagasu-search/sagasu/sdk/x/remote"
)

const (
	// uploadAttempts is the factor by which upload calls are retried more often than others, since a node may restart
	// in the meantime.
	uploadAttempts = 4
	// sizeAttempts is how often nodes are counted again. For some seconds after a node died, others still ask it, and
	// fail.
	sizeAttempts = 3
	// inFlight is the maximum number of concurrent batches.
	inFlight = 4
	// mostBatch and batchBytes limit a batch: number of sections, and bytes of their stored form.
	mostBatch, batchBytes = 250, 2 << 20
	// page is the number of sections that are listed at once.
	page = 2000
	// mostDeleted is the maximum number of sections that one call deletes.
	mostDeleted = 1000
	// mostSettling limits the wait for the engine to write its files, which by default takes a minute. A few
	// objects may stay in memory indefinitely.
	mostSettling = 100 * time.Second
	// mostMessage is the maximum number of characters of an engine's message that are shown.
	mostMessage = 300
)

// upload is an upload in progress.
type upload struct {
	sdk.Upload
	address
	nodes  *nodes
	target string // the class that is filled
	grace  time.Duration
}

// Upload makes a collection match a snapshot. Sections that are already in the collection are not sent. If the corpus
// is split or stored differently than the collection, Upload fills a new class, which replaces the old one at the end.
// Only one upload to a collection may run at a time.
func Upload(ctx context.Context, req sdk.Upload) (*sdk.Uploaded, error) {
	return fill(ctx, req, 2*fresh)
}

// fill is Upload with a given wait for changes that the engine does not report.
func fill(ctx context.Context, req sdk.Upload, grace time.Duration) (*sdk.Uploaded, error) {
	a, err := parse(req.To)
	if err != nil {
		return nil, fmt.Errorf("the URL of the collection: %w", err)
	}
	n, err := dial(a, os.Getenv(keyEnv), nil)
	if err != nil {
		return nil, err
	}
	defer n.close()
	n.wait = min(n.wait, grace+1)
	u := &upload{
		Upload: req, address: a, nodes: n, grace: grace,
		target: a.generation(req.Corpus.Kind(), req.Corpus.Fields(), storedNames(req.Stored)),
	}
	out, err := u.run(ctx)
	if status(err) == http.StatusForbidden && n.leaderless(ctx) { // reported like a key without permission
		err = errLeaderless
	}
	return out, a.explain(ctx, err)
}

func storedNames(fields []sdk.StoredField) (out []string) {
	for _, field := range fields {
		out = append(out, field.Name)
	}
	return out
}

func (u *upload) run(ctx context.Context) (*sdk.Uploaded, error) {
	nodes, err := u.nodes.size(ctx)
	for n := 0; n < sizeAttempts && u.mayPass(err) && pause(ctx, u.grace); n++ {
		nodes, err = u.nodes.size(ctx)
	}
	if err != nil {
		return nil, err
	}
	u.nodes.attempts *= uploadAttempts
	current, err := u.current(ctx)
	if err != nil {
		return nil, err
	}
	sections := shipmentOfSections(u.Corpus, u.target, u.Stored)
	if !u.Replace && current != "" && current != u.target {
		if err := u.related(ctx, sections, current); err != nil {
			return nil, err
		}
	}
	at, err := u.begin(ctx, nodes)
	if err != nil {
		return nil, err
	}
	last := at.state
	if last.Revision%2 == 1 { // that upload was not completed
		last.Digests, last.TermDigests = "", ""
	}
	c, err := u.compare(ctx, sections, last.Digests, last.Sections)
	if err != nil {
		return nil, err
	}
	out := &sdk.Uploaded{
		Sections: int(sections.live.GetCardinality()), Sent: int(c.pending.GetCardinality()), Deleted: len(c.doomed),
	}
	if !u.Replace && out.Deleted > 0 && out.Sent == out.Sections {
		return nil, anotherWorkspace(out.Deleted)
	}
	if s := &at.state; out.Sent+out.Deleted > 0 || s.Revision%2 == 1 {
		s.Revision += 2 - (s.Revision+1)%2 // the next odd one
		if err := u.nodes.describe(ctx, u.target, *s); err != nil {
			return nil, err
		}
		if err := u.ship(ctx, sections, c); err != nil {
			return nil, err
		}
		if err := u.count(ctx, s, last); err != nil {
			return nil, err
		}
		if err := u.settle(ctx, out.Sections); err != nil {
			return nil, err
		}
		s.Revision, s.Sections, s.Digests = s.Revision+1, out.Sections, c.digests
		if err := u.nodes.describe(ctx, u.target, *s); err != nil {
			return nil, err
		}
	}
	out.Generation = at.generation()
	if current != u.target {
		err = u.replace(ctx, current)
	}
	return out, err
}

func anotherWorkspace(held int) error {
	return fmt.Errorf("none of the %d sections that the collection holds is in this workspace: name another "+
		"collection, or replace what this one holds by --replace", held)
}

// related fails if a class of another generation contains sections but none of those in a shipment, compared by key.
func (u *upload) related(ctx context.Context, s *shipment, class string) error {
	ours := map[string]bool{}
	for it := s.live.Iterator(); it.HasNext(); {
		ours[s.keys[it.Next()].String()] = true
	}
	held := 0
	for after := ""; ; {
		rows, err := u.nodes.list(ctx, class, after)
		if err != nil || slices.ContainsFunc(rows, func(row found) bool { return ours[row.Additional.ID] }) {
			return err
		}
		held += len(rows)
		if len(rows) < page {
			break
		}
		after = rows[len(rows)-1].Additional.ID
	}
	if held == 0 {
		return nil
	}
	return anotherWorkspace(held)
}

// mayPass reports whether the first call of an upload may have failed because nodes still ask one that died. With a
// single host, no answer rather means that the host is wrong.
func (u *upload) mayPass(err error) bool {
	return err != nil && remote.Passing(err) && !errors.Is(err, errAnswer) && (len(u.hosts) > 1 || status(err) != 0)
}

// count updates the statistics to those of the corpus.
func (u *upload) count(ctx context.Context, s *state, last state) error {
	s.Lengths = nil
	for f := range u.Corpus.Fields() {
		s.Lengths = append(s.Lengths, u.Corpus.AvgLen(f))
	}
	terms := shipmentOfTerms(u.Corpus, termsOf(u.target))
	c, err := u.compare(ctx, terms, last.TermDigests, last.Buckets)
	if err != nil {
		return err
	}
	s.Buckets, s.TermDigests = len(terms.keys), c.digests
	return u.ship(ctx, terms, c)
}

// settle waits until every replica has written its objects to its index files. The engine ranks objects in memory
// wrongly and may omit them.
func (u *upload) settle(ctx context.Context, sections int) error {
	for began := time.Now(); time.Since(began) < mostSettling; {
		_, written, err := u.nodes.shards(ctx, u.target)
		if err != nil {
			return err
		}
		if written == sections {
			break
		}
		u.Progress("waiting for the engine", min(written, sections), sections)
		if !pause(ctx, fresh/2) {
			break
		}
	}
	if !pause(ctx, u.grace) { // its files of terms follow those of objects a moment later
		return context.Cause(ctx)
	}
	return nil
}

// current returns the class in use, or "" if there is none yet.
func (u *upload) current(ctx context.Context) (string, error) {
	c, err := u.nodes.current(ctx, u.alias())
	switch {
	case missing(err):
		return "", nil
	case err != nil && !errors.Is(err, errForeign):
		return "", err
	case !u.generations().MatchString(c.Class):
		return "", errForeign
	case err == nil && c.state.Kind != u.Corpus.Kind():
		return "", fmt.Errorf("the collection holds sections of kind %s, and these are of kind %s: choose another name",
			c.state.Kind, u.Corpus.Kind())
	}
	return c.Class, nil
}

// begin returns the class to fill. If necessary, it creates the class on that number of nodes.
func (u *upload) begin(ctx context.Context, nodes int) (*class, error) {
	c, err := u.nodes.class(ctx, u.target)
	if !missing(err) {
		return c, err
	}
	s := state{
		Format: layout, Kind: u.Corpus.Kind(), Fields: u.Corpus.Fields(), Stored: storedNames(u.Stored), Revision: 1,
	}
	stored := property(propHash, "text", "field", false, false)
	if _, err := u.nodes.class(ctx, termsOf(u.target)); missing(err) {
		err := u.nodes.define(ctx, termsOf(u.target), s, nodes,
			property(propCounts, "text", "field", false, false), stored)
		if err != nil {
			return nil, err
		}
	} else if err != nil {
		return nil, err
	}
	if err := u.nodes.define(ctx, u.target, s, nodes,
		property(propTokens, "text", "whitespace", false, true), property(propKeywords, "text[]", "field", true, false),
		property(propOrder, "text", "field", true, false), property(propSection, "text", "field", false, false),
		property(propStored, "text[]", "field", false, false), stored,
	); err != nil {
		return nil, err
	}
	return u.nodes.class(ctx, u.target)
}

// ship sends objects in several concurrent batches, and deletes others.
func (u *upload) ship(ctx context.Context, s *shipment, c *comparison) error {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	var mu sync.Mutex
	left, done, total := c.pending.Iterator(), 0, int(c.pending.GetCardinality())
	take := func() (ids []uint32) {
		mu.Lock()
		defer mu.Unlock()
		for len(ids) < mostBatch && left.HasNext() {
			ids = append(ids, left.Next())
		}
		return ids
	}
	for _, err := range guard.Each(inFlight, func(int) error {
		var cut cutter
		for ids := take(); len(ids) > 0; ids = take() {
			if err := u.post(ctx, s, &cut, ids); err != nil {
				stop(err)
				return err
			}
			mu.Lock()
			done += len(ids)
			u.Progress("sending "+s.name, done, total)
			mu.Unlock()
		}
		return nil
	}) {
		if err != nil {
			return cmp.Or(context.Cause(ctx), err) // not the error of a batch that was stopped
		}
	}
	return u.delete(ctx, s.class, c.doomed)
}

// post sends objects in batches of limited size.
func (u *upload) post(ctx context.Context, s *shipment, c *cutter, ids []uint32) error {
	var batch []object
	size := 0
	for i, id := range ids {
		o := s.object(id)
		if s.complete != nil {
			s.complete(&o.Properties, c, id)
		}
		batch = append(batch, o)
		size += o.Properties.size()
		if size < batchBytes && i+1 < len(ids) {
			continue
		}
		body := map[string]any{"objects": batch, "fields": []string{"id"}}
		err := u.nodes.call(ctx, http.MethodPost, "/v1/batch/objects", body, func(data []byte) error {
			return stored(data, len(batch))
		})
		if err != nil {
			return err
		}
		batch, size = nil, 0
	}
	return nil
}

// stored returns why an object of a batch was not stored.
func stored(data []byte, sent int) error {
	var reply []struct {
		Result struct {
			Status string `json:"status"`
			Errors struct {
				Error []struct {
					Message string `json:"message"`
				} `json:"error"`
			} `json:"errors"`
		} `json:"result"`
	}
	if err := into(&reply)(data); err != nil {
		return err
	}
	for _, r := range reply {
		if e := r.Result.Errors.Error; len(e) > 0 {
			return fmt.Errorf("the engine did not take a section: %s", text.CutRunes(e[0].Message, mostMessage))
		}
		if r.Result.Status != "SUCCESS" {
			return errAnswer
		}
	}
	if len(reply) != sent {
		return errAnswer
	}
	return nil
}

// delete deletes objects by their identifiers.
func (u *upload) delete(ctx context.Context, class string, doomed []string) error {
	for ids := range slices.Chunk(doomed, mostDeleted) {
		match := map[string]any{"class": class, "where": map[string]any{
			"path": []string{"id"}, "operator": "ContainsAny", "valueTextArray": ids,
		}}
		body := map[string]any{"match": match, "output": "minimal"}
		if err := u.nodes.call(ctx, http.MethodDelete, "/v1/batch/objects", body, ignore); err != nil {
			return err
		}
	}
	return nil
}

// replace makes the filled class the one in use, at once for all callers, and deletes the old one.
func (u *upload) replace(ctx context.Context, current string) error {
	method, path := http.MethodPost, "/v1/aliases"
	if current != "" {
		method, path = http.MethodPut, "/v1/aliases/"+u.alias()
	}
	body := map[string]any{"alias": u.alias(), "class": u.target}
	if err := u.nodes.call(ctx, method, path, body, ignore); err != nil || current == "" {
		return err
	}
	if !pause(ctx, u.grace) { // until nobody gathers from it
		return context.Cause(ctx)
	}
	for _, class := range []string{current, termsOf(current)} {
		err := u.nodes.call(ctx, http.MethodDelete, "/v1/schema/"+url.PathEscape(class), nil, ignore)
		if err != nil && !missing(err) {
			return err
		}
	}
	return nil
}
