package server

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/sagasu-search/sagasu/framework/internal/manuals"
	"github.com/sagasu-search/sagasu/framework/internal/search"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
)

// fakeFinder answers with what a test gives it and keeps what it was asked.
type fakeFinder struct {
	find  func(context.Context, search.Request) (*search.Answer, error)
	asked any
}

func (f *fakeFinder) Find(ctx context.Context, req search.Request) (*search.Answer, error) {
	f.asked = req
	if f.find != nil {
		return f.find(ctx, req)
	}
	return &search.Answer{TraceID: "t-1", NextActions: nil, Warnings: []string{}}, nil
}

func (f *fakeFinder) Hits(_ context.Context, req search.HitsRequest) (*search.Hits, error) {
	f.asked = req
	return &search.Hits{TraceID: req.TraceID, Kind: req.Kind, Offset: req.Offset, Limit: req.Limit, Items: []search.Row{}}, nil
}

type fakeLibrary struct {
	asked  any
	memory *manuals.Memory
}

func (l *fakeLibrary) Ls(_ context.Context, id string) (*manuals.Listing, error) {
	l.asked = id
	return &manuals.Listing{ID: id}, nil
}

func (l *fakeLibrary) List(context.Context) (*manuals.List, error) {
	l.asked = "list"
	return &manuals.List{Items: []manuals.ListItem{}}, nil
}

func (l *fakeLibrary) Excepts(_ context.Context, req manuals.ExceptsRequest) (*manuals.Excepts, error) {
	l.asked = req
	return &manuals.Excepts{Items: []manuals.ExceptLine{}}, nil
}

func (l *fakeLibrary) Toc(_ context.Context, req manuals.TocRequest) (*manuals.Toc, error) {
	l.asked = req
	return &manuals.Toc{}, nil
}

func (l *fakeLibrary) Read(_ context.Context, req manuals.ReadRequest, memory *manuals.Memory) (*manuals.Reading, error) {
	l.asked, l.memory = req, memory
	return &manuals.Reading{Text: "<b>本文</b>"}, nil
}

func (l *fakeLibrary) Scan(_ context.Context, req manuals.ScanRequest) (*manuals.Scan, error) {
	l.asked = req
	return &manuals.Scan{}, nil
}

func newFakes() (*Server, *fakeFinder, *fakeLibrary) {
	f, l := &fakeFinder{}, &fakeLibrary{}
	return New(Options{Finder: f, Library: l, VaultFinder: &fakeVault{}, Lanes: &fakeLanes{}, Logic: &fakeLogic{}, Version: "v0-test"}), f, l
}

// fakeVault searches a vault.
type fakeVault struct{ asked any }

func (s *fakeVault) FindVault(_ context.Context, req search.VaultRequest) (*search.VaultAnswer, error) {
	s.asked = req
	return &search.VaultAnswer{}, nil
}

func (s *fakeVault) VaultHits(_ context.Context, req search.HitsRequest) (*search.Hits, error) {
	s.asked = req
	return &search.Hits{Items: []search.Row{}}, nil
}

// refused calls a tool that must refuse, and gives the fault as a client reads it.
func refused(t *testing.T, s *Server, tool, args string) *toolset.Error {
	t.Helper()
	result, err := s.Call(t.Context(), tool, json.RawMessage(args), NewSession())
	if err == nil {
		t.Fatalf("%s %s was answered: %v", tool, args, result)
	}
	return err
}
