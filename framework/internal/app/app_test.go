package app

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/sagasu-search/sagasu/framework/internal/index"
	"github.com/sagasu-search/sagasu/framework/internal/module"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
	"github.com/sagasu-search/sagasu/framework/internal/workspace"
)

// toy is a product of one tool.
type toy struct{ closed bool }

type toyArgs struct {
	Word string `json:"word" required:"a word"`
}

type toyResult struct {
	Word string `json:"word"`
}

func (t *toy) Toolset() toolset.Toolset {
	echo := func(_ context.Context, args toyArgs) (*toyResult, error) { return &toyResult{args.Word}, nil }
	return toolset.Toolset{Tools: []toolset.Tool{
		toolset.Define(toolset.Tool{Name: "toy_echo", Group: "toy", Hints: toolset.Reading, Example: []byte(`{"word": "a"}`)}, echo),
	}}
}

func (t *toy) Build(context.Context) (*index.Report, error) { return nil, nil }

func (t *toy) Close() error { t.closed = true; return nil }

func (t *toy) definition() module.Definition {
	return module.Definition{
		Name: "toy", Groups: []string{"toy"},
		Active:   func(*workspace.Workspace) []string { return []string{"toy"} },
		IndexDir: func(*workspace.Workspace) string { return "" },
		Open:     func(context.Context, *module.Env) (module.Module, error) { return t, nil },
	}
}

// opened is a program over an empty workspace with the toy beside its products.
func opened(t *testing.T, extra module.Definition, settings map[string]string) (*App, error) {
	t.Helper()
	dir := t.TempDir()
	if err := os.MkdirAll(filepath.Join(dir, "manuals"), 0o700); err != nil {
		t.Fatal(err)
	}
	values := map[string]string{"HOME": dir, "USERPROFILE": dir, "LOCALAPPDATA": dir, "APPDATA": dir, "WORKSPACE_ROOT": dir}
	for name, value := range settings {
		values[name] = value
	}
	return Open(t.Context(), Options{
		Sources:  workspace.LoadOptions{Getenv: func(name string) string { return values[name] }},
		products: append(products(), extra),
	})
}

// A new toolset is one more definition: its tool is served, called, switched by TOOLSETS and
// closed, and nothing else knows it.
func TestAToolsetIsOneDefinition(t *testing.T) {
	product := &toy{}
	a, err := opened(t, product.definition(), nil)
	if err != nil {
		t.Fatal(err)
	}
	result, failed := a.Tools.Call(t.Context(), "toy_echo", []byte(`{"word": "hello"}`), nil)
	if failed != nil || *result.(*toyResult) != (toyResult{"hello"}) {
		t.Errorf("%v, %v", result, failed)
	}
	if err := a.Close(); err != nil || !product.closed {
		t.Errorf("close: %v, closed %t", err, product.closed)
	}
	a, err = opened(t, product.definition(), map[string]string{"TOOLSETS": "toy"})
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	if tools := a.Tools.Tools(); len(tools) != 1 || tools[0].Name != "toy_echo" {
		t.Errorf("%d tools", len(tools))
	}
}

func TestAnUnknownToolsetIsRefused(t *testing.T) {
	_, err := opened(t, (&toy{}).definition(), map[string]string{"TOOLSETS": "manual,toys"})
	if wrong, ok := err.(*ConfigError); !ok {
		t.Errorf("opened: %v", wrong)
	}
}
