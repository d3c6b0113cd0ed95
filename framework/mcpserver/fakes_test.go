package mcpserver

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/sagasu-search/sagasu/framework/fault"
	"github.com/sagasu-search/sagasu/framework/find"
	"github.com/sagasu-search/sagasu/framework/manual"
)

// fakeFinder answers with what a test gives it and keeps what it was asked.
type fakeFinder struct {
	find  func(context.Context, find.Request) (*find.Answer, error)
	asked any
}

func (f *fakeFinder) Find(ctx context.Context, req find.Request) (*find.Answer, error) {
	f.asked = req
	if f.find != nil {
		return f.find(ctx, req)
	}
	return &find.Answer{TraceID: "t-1", NextActions: nil, Warnings: []string{}}, nil
}

func (f *fakeFinder) Hits(_ context.Context, req find.HitsRequest) (*find.Hits, error) {
	f.asked = req
	return &find.Hits{TraceID: req.TraceID, Kind: req.Kind, Offset: req.Offset, Limit: req.Limit, Items: []find.Row{}}, nil
}

type fakeLibrary struct {
	asked  any
	memory *manual.Memory
}

func (l *fakeLibrary) Ls(_ context.Context, id string) (*manual.Listing, error) {
	l.asked = id
	return &manual.Listing{ID: id}, nil
}

func (l *fakeLibrary) List(context.Context) (*manual.List, error) {
	l.asked = "list"
	return &manual.List{Items: []manual.ListItem{}}, nil
}

func (l *fakeLibrary) Excepts(_ context.Context, req manual.ExceptsRequest) (*manual.Excepts, error) {
	l.asked = req
	return &manual.Excepts{Items: []manual.ExceptLine{}}, nil
}

func (l *fakeLibrary) Toc(_ context.Context, req manual.TocRequest) (*manual.Toc, error) {
	l.asked = req
	return &manual.Toc{}, nil
}

func (l *fakeLibrary) Read(_ context.Context, req manual.ReadRequest, memory *manual.Memory) (*manual.Reading, error) {
	l.asked, l.memory = req, memory
	return &manual.Reading{Text: "<b>本文</b>"}, nil
}

func (l *fakeLibrary) Scan(_ context.Context, req manual.ScanRequest) (*manual.Scan, error) {
	l.asked = req
	return &manual.Scan{}, nil
}

func newFakes() (*Server, *fakeFinder, *fakeLibrary) {
	f, l := &fakeFinder{}, &fakeLibrary{}
	return New(Options{Finder: f, Library: l, Version: "v0-test"}), f, l
}

// refused calls a tool that must refuse, and gives the fault as a client reads it.
func refused(t *testing.T, s *Server, tool, args string) *fault.Error {
	t.Helper()
	result, err := s.Call(t.Context(), tool, json.RawMessage(args), NewSession())
	if err == nil {
		t.Fatalf("%s %s was answered: %v", tool, args, result)
	}
	return err
}
