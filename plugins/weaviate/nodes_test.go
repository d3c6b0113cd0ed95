package weaviate

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
)

func TestAnotherNodeAnswers(t *testing.T) {
	f := newFake(t)
	uploaded(t, f.url("docs", 1), manual(t, nil))
	hang := func(_ http.ResponseWriter, r *http.Request) bool {
		io.Copy(io.Discard, r.Body) // otherwise the handler does not notice that the connection ends
		<-r.Context().Done()
		return true
	}
	fail := func(w http.ResponseWriter, _ *http.Request) bool { w.WriteHeader(503); return true }
	for name, misbehave := range map[string]func(http.ResponseWriter, *http.Request) bool{"stalls": hang, "fails": fail} {
		t.Run(name, func(t *testing.T) {
			s := gatherer(t, f.url("docs", 3))
			s.collection.nodes.wait = 1
			var asked atomic.Int64
			f.misbehave = func(w http.ResponseWriter, r *http.Request) bool {
				return asked.Add(1) == 1 && misbehave(w, r)
			}
			ctx, cancel := context.WithTimeout(t.Context(), 4*time.Second)
			defer cancel()
			got, err := s.Gather(ctx, &sdk.GatherRequest{Kind: snapshot.KindManual, Terms: terms("raid"), Limit: 10})
			if err != nil || len(got.Sections) != 10 {
				t.Errorf("%+v, %v", got, err)
			}
		})
	}
	t.Run("is slow, and the others are gone", func(t *testing.T) {
		s := gatherer(t, f.url("docs", 3))
		var asked atomic.Int64
		others := make(chan struct{})
		f.misbehave = func(w http.ResponseWriter, r *http.Request) bool {
			if r.URL.Path != pathQuery {
				return false
			}
			switch asked.Add(1) {
			case 1:
				select {
				case <-others:
					return false
				case <-r.Context().Done(): // the call gave up
				}
			case 3:
				defer close(others)
			}
			w.WriteHeader(http.StatusServiceUnavailable)
			return true
		}
		ctx, cancel := context.WithTimeout(t.Context(), 4*time.Second)
		defer cancel()
		got, err := s.Gather(ctx, &sdk.GatherRequest{Kind: snapshot.KindManual, Limit: 10})
		if err != nil || len(got.Sections) != 10 {
			t.Errorf("%+v, %v", got, err)
		}
	})
	hung := func(t *testing.T) *Strategy { // on its own fake, because handlers may outlive a test
		f := newFake(t)
		uploaded(t, f.url("docs", 1), manual(t, nil))
		s := gatherer(t, f.url("docs", 2))
		f.misbehave = hang
		return s
	}
	t.Run("none answers, and there is time to say so", func(t *testing.T) {
		s := hung(t)
		ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
		defer cancel()
		_, err := s.Gather(ctx, &sdk.GatherRequest{Kind: snapshot.KindManual, Limit: 1})
		if err == nil || ctx.Err() != nil {
			t.Error(err, ctx.Err())
		}
	})
	t.Run("none answers", func(t *testing.T) {
		s := hung(t)
		ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
		defer cancel()
		if _, err := s.Gather(ctx, &sdk.GatherRequest{Kind: snapshot.KindManual, Limit: 1}); !errors.Is(err, context.DeadlineExceeded) {
			t.Error(err)
		}
	})
}

// The loss of a node is reported, and the known state is used while the cluster cannot provide a newer one.
func TestShardsAndStaleKnowledge(t *testing.T) {
	f := newFake(t)
	url := f.url("docs", 1)
	uploaded(t, url, manual(t, nil))
	s := gatherer(t, url)
	s.collection.nodes.wait = 1
	if got := gather(t, s, sdk.GatherRequest{}); got.Answered != 1 || got.Expected != 1 {
		t.Errorf("%d of %d shards", got.Answered, got.Expected)
	}
	f.misbehave = func(w http.ResponseWriter, r *http.Request) bool {
		if !strings.HasPrefix(r.URL.Path, "/v1/nodes") {
			return false
		}
		io.WriteString(w, `{"nodes":[{"status":"UNAVAILABLE","shards":null},{"status":"HEALTHY","shards":[]}]}`)
		return true
	}
	if got := gather(t, s, sdk.GatherRequest{}); got.Answered != 0 || got.Expected != 1 {
		t.Errorf("%d of %d shards", got.Answered, got.Expected)
	}
	for _, code := range []int{http.StatusInternalServerError, http.StatusNotFound} {
		f.misbehave = func(w http.ResponseWriter, r *http.Request) bool {
			if strings.HasPrefix(r.URL.Path, "/v1/schema") || strings.HasPrefix(r.URL.Path, "/v1/aliases") {
				w.WriteHeader(code)
				return true
			}
			return false
		}
		if got := gather(t, s, sdk.GatherRequest{}); len(got.Sections) != 1 {
			t.Errorf("%d: %+v", code, got)
		}
	}
}

// Without most of its nodes a cluster has no leader to ask for a definition. A remaining node answers with what it
// knows.
func TestNoLeader(t *testing.T) {
	f := newFake(t)
	url := f.url("docs", 2)
	uploaded(t, url, manual(t, nil))
	s := gatherer(t, url)
	asked := 0
	f.misbehave = func(w http.ResponseWriter, r *http.Request) bool {
		if r.Header.Get("Consistency") == "false" || r.URL.Path == "/v1/graphql" || strings.HasPrefix(r.URL.Path, "/v1/nodes") {
			return false
		}
		asked++
		w.WriteHeader(http.StatusInternalServerError)
		return true
	}
	for range 2 {
		if got := gather(t, s, sdk.GatherRequest{Terms: terms("raid"), Limit: 1000}); len(got.Sections) != 240 || !got.Exact {
			t.Errorf("%d sections, exact: %v", len(got.Sections), got.Exact)
		}
	}
	if asked != 2 {
		t.Errorf("a leader was asked for %d times", asked)
	}
}

// While a node starts, it has no leader and knows no class. That does not mean that the class does not exist.
func TestNoLeaderWhileStarting(t *testing.T) {
	f := newFake(t)
	s := gatherer(t, f.url("docs", 1))
	s.collection.nodes.wait = 1
	f.misbehave = func(w http.ResponseWriter, r *http.Request) bool {
		code := http.StatusInternalServerError
		if r.Header.Get("Consistency") == "false" {
			code = http.StatusNotFound
		}
		w.WriteHeader(code)
		return true
	}
	_, err := s.Gather(t.Context(), &sdk.GatherRequest{Kind: snapshot.KindManual, Terms: terms("raid"), Limit: 1})
	if err == nil || !strings.Contains(err.Error(), "they may be starting") {
		t.Errorf("%v", err)
	}
}

// A starting node knows no class yet, so another one is asked.
func TestANodeThatStartsIsPassedOver(t *testing.T) {
	f := newFake(t)
	url := f.url("docs", 2)
	uploaded(t, url, manual(t, nil))
	s := gatherer(t, url)
	var asked atomic.Int64
	f.misbehave = func(w http.ResponseWriter, r *http.Request) bool {
		if r.URL.Path == pathQuery && asked.Add(1) == 1 {
			w.WriteHeader(http.StatusUnprocessableEntity)
			return true
		}
		return false
	}
	if got := gather(t, s, sdk.GatherRequest{}); len(got.Sections) != 1 {
		t.Errorf("%+v", got)
	}
}

// If a node has not heard of the alias yet, an upload does not create it again.
func TestAliasIsAskedOfTheLeader(t *testing.T) {
	f := newFake(t)
	url := f.url("docs", 1)
	uploaded(t, url, manual(t, nil))
	f.misbehave = func(w http.ResponseWriter, r *http.Request) bool {
		if r.URL.Path == "/v1/schema/Docs" {
			w.WriteHeader(http.StatusNotFound)
			return true
		}
		if r.Method == http.MethodPost && r.URL.Path == "/v1/aliases" {
			w.WriteHeader(http.StatusUnprocessableEntity)
			return true
		}
		return false
	}
	if up := uploaded(t, url, manual(t, nil)); up.Sent != 0 {
		t.Errorf("%+v", up)
	}
}
