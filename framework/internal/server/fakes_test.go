package server

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/sagasu-search/sagasu/framework/internal/manuals"
	"github.com/sagasu-search/sagasu/framework/internal/search"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
	"github.com/sagasu-search/sagasu/framework/internal/vault"
	"github.com/sagasu-search/sagasu/framework/internal/vault/audit"
	"github.com/sagasu-search/sagasu/framework/internal/vault/bridge"
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
	shelf := &fakeShelf{}
	return New(Options{Finder: f, Library: l, Vault: shelf, VaultFind: vault.FindTools(shelf), Bridge: shelf, Lanes: &fakeLanes{}, Logic: &fakeLogic{}, Version: "v0-test"}), f, l
}

// fakeShelf is a vault and what stands around it.
type fakeShelf struct{ asked any }

func (s *fakeShelf) Ls(_ context.Context, dir string, system bool) (*vault.Listing, error) {
	s.asked = []any{dir, system}
	return &vault.Listing{Entries: []vault.Entry{}}, nil
}

func (s *fakeShelf) Create(_ context.Context, path, content string) (*vault.Written, error) {
	s.asked = []any{path, content}
	return &vault.Written{WrittenPath: path}, nil
}

func (s *fakeShelf) Write(_ context.Context, req vault.WriteRequest) (*vault.Written, error) {
	s.asked = req
	return &vault.Written{WrittenPath: req.Path}, nil
}

func (s *fakeShelf) Replace(_ context.Context, req vault.ReplaceRequest) (*vault.Replaced, error) {
	s.asked = req
	return &vault.Replaced{WrittenPath: req.Path}, nil
}

func (s *fakeShelf) Read(_ context.Context, req vault.ReadRequest) (*vault.Reading, error) {
	s.asked = req
	return &vault.Reading{}, nil
}

func (s *fakeShelf) Scan(_ context.Context, req vault.ScanRequest, _ *vault.Memory) (*vault.Scan, error) {
	s.asked = req
	return &vault.Scan{NextActions: []toolset.Action{}}, nil
}

func (s *fakeShelf) Search(_ context.Context, req vault.SearchRequest) (*vault.SearchResult, error) {
	s.asked = req
	return &vault.SearchResult{Results: []vault.Found{}}, nil
}

func (s *fakeShelf) Coverage(_ context.Context, path string, ranges []toolset.Range) (*vault.Coverage, error) {
	s.asked = []any{path, ranges}
	return &vault.Coverage{}, nil
}

func (s *fakeShelf) Audit(_ context.Context, req vault.AuditRequest, _ *vault.Memory) (*audit.Report, error) {
	s.asked = req
	return &audit.Report{}, nil
}

func (s *fakeShelf) Find(_ context.Context, args vault.FindArgs) (*vault.FindResult, error) {
	s.asked = args
	return &vault.FindResult{}, nil
}

func (s *fakeShelf) Hits(_ context.Context, args vault.HitsArgs) (*vault.HitsResult, error) {
	s.asked = args
	return &vault.HitsResult{Items: []search.Row{}}, nil
}

func (s *fakeShelf) CopySection(_ context.Context, req bridge.SectionRequest) (*bridge.Copied, error) {
	s.asked = req
	return &bridge.Copied{}, nil
}

func (s *fakeShelf) CopyFile(_ context.Context, req bridge.FileRequest) (*bridge.Copied, error) {
	s.asked = req
	return &bridge.Copied{}, nil
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
