package app

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hashicorp/go-hclog"

	"github.com/sagasu-search/sagasu/framework/internal/doctor"
	"github.com/sagasu-search/sagasu/framework/internal/host"
	"github.com/sagasu-search/sagasu/framework/internal/host/trust"
	"github.com/sagasu-search/sagasu/framework/internal/index"
	"github.com/sagasu-search/sagasu/framework/internal/module"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
	"github.com/sagasu-search/sagasu/framework/internal/workspace"
	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
)

// toy is a product with one tool.
type toy struct {
	word   string // value of TOY_WORD
	closed bool
}

type toySettings struct {
	Word string `setting:"TOY_WORD" enum:"loud,low" default:"low" doc:"how it answers"`
}

// CheckSettings implements [workspace.Checker].
func (s *toySettings) CheckSettings(w *workspace.Workspace) error {
	if s.Word == "loud" && w.ReadOnly {
		return errors.New("TOY_WORD is loud: it must be low while READ_ONLY is set")
	}
	return nil
}

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
		Groups:   []string{"toy"},
		IndexDir: func(*workspace.Workspace) string { return "" },
		Settings: toySettings{},
		Check: func(_ context.Context, env *module.Env, r *doctor.Report) error {
			word := workspace.Of[toySettings](env.Workspace).Word
			table := doctor.Table{Title: "toys"}
			table.Row("word", word)
			r.Add("toys", word, table)
			r.Note("the toy is "+word, "nothing")
			return nil
		},
		Open: func(_ context.Context, env *module.Env) (module.Module, error) {
			t.word = workspace.Of[toySettings](env.Workspace).Word
			return t, nil
		},
	}
}

// opened returns a program over an empty workspace, with the toy as a further product.
func opened(t *testing.T, extra module.Definition, settings map[string]string, strategies ...sdk.Entry) (*App, error) {
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
		Sources:    workspace.LoadOptions{Getenv: func(name string) string { return values[name] }},
		Strategies: strategies,
		products:   append(products(), extra),
	})
}

// A new toolset is only one more definition: its tool is served, called, switched by TOOLSETS and closed, its setting
// is read and shown, its check is run, and nothing else knows it.
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
	a, err = opened(t, product.definition(), map[string]string{"TOOLSETS": "toy", "TOY_WORD": "LOUD"})
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	if product.word != "loud" {
		t.Errorf("TOY_WORD is %q", product.word)
	}
	report, err := Examine(t.Context(), a.options)
	if err != nil {
		t.Fatal(err)
	}
	raw, err := json.Marshal(report)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`"toys":"loud"`, `"what":"the toy is loud"`, `{"name":"TOY_WORD","value":"loud","origin":"environment"}`} {
		if !strings.Contains(string(raw), want) {
			t.Errorf("the report lacks %s: %s", want, raw)
		}
	}
	if tools := a.Tools.Tools(); len(tools) != 1 || tools[0].Name != "toy_echo" {
		t.Errorf("%d tools", len(tools))
	}
}

func TestBadSettingsOfAToolset(t *testing.T) {
	for name, settings := range map[string]map[string]string{
		`TOY_WORD is "shrill" (environment): it must be one of loud, low`: {"TOY_WORD": "shrill"},
		"TOY_WORD is loud: it must be low while READ_ONLY is set":         {"TOY_WORD": "loud", "READ_ONLY": "true"},
	} {
		_, err := opened(t, (&toy{}).definition(), settings)
		if wrong, ok := err.(*module.ConfigError); !ok || wrong.Error() != name {
			t.Errorf("%v, want %s", err, name)
		}
	}
}

func TestAMissingPluginFolderIsReported(t *testing.T) {
	a, err := opened(t, (&toy{}).definition(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	missing := filepath.Join(t.TempDir(), "none")
	workspace.Of[host.Settings](a.Workspace).PluginPath = []string{missing}
	var log bytes.Buffer
	a.Logger = hclog.New(&hclog.LoggerOptions{Level: hclog.Error, Output: &log})
	var r doctor.Report
	if err := errors.Join(a.chooseStrategies(), a.checkInstalled(t.Context(), &r)); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(log.String(), missing) {
		t.Errorf("the log is %q", log.String())
	}
	if len(r.Hints) != 1 || !r.Hints[0].Broken || !strings.Contains(r.Hints[0].What, missing) {
		t.Errorf("doctor says %v", r.Hints)
	}
}

func TestAnUnknownToolsetIsRefused(t *testing.T) {
	_, err := opened(t, (&toy{}).definition(), map[string]string{"TOOLSETS": "manual,toys"})
	if wrong, ok := err.(*module.ConfigError); !ok {
		t.Errorf("opened: %v", wrong)
	}
}

// Collections store something only if a strategy that wants it takes part.
func TestStoredIsAskedForByWhoWantsIt(t *testing.T) {
	for url, want := range map[string]bool{"": false, "http://127.0.0.1:1/v1": true} {
		keeps := sdk.Entry{
			Name: "keeps", New: func() sdk.Strategy { return nothing{} },
			Launch: func(c sdk.Configuration) (sdk.Launch, error) {
				return sdk.Launch{Off: c.Setting("EMBED_URL") == ""}, nil
			},
			Stored: func(
				context.Context, json.RawMessage, *snapshot.Snapshot, func(int, int),
			) (out sdk.StoredField, err error) {
				return out, nil
			},
		}
		a, err := opened(t, (&toy{}).definition(), map[string]string{"EMBED_URL": url}, keeps)
		if err != nil {
			t.Fatal(err)
		}
		if got := a.Env().Stored; got != want {
			t.Errorf("%q: %t", url, got)
		}
		if err := a.Close(); err != nil {
			t.Error(err)
		}
	}
}

type nothing struct{}

func (nothing) Describe() sdk.Description {
	return sdk.Description{Name: "keeps", Version: "1", Stage: sdk.StageRetrieve, Signals: []string{sdk.SignalLoose}, Weight: 1}
}

func (nothing) Search(context.Context, *sdk.Request) (*sdk.Result, error) { return &sdk.Result{}, nil }

// A gatherer that only COLLECTION_URL configures may lack more than the URL says.
func TestACollectionIsNotEnough(t *testing.T) {
	a, err := opened(t, (&toy{}).definition(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	dir := a.Workspace.Root
	values := map[string]string{"HOME": dir, "WORKSPACE_ROOT": dir, "COLLECTION_URL": "engine://host/name"}
	options := workspace.LoadOptions{Getenv: func(name string) string { return values[name] }}
	if a.Workspace, err = Load(options, nil); err != nil {
		t.Fatal(err)
	}
	for schema, want := range map[string]string{
		"": "COLLECTION_URL (from environment): the strategy takes no configuration",
		`{"properties": {"url": {}, "key": {}}, "required": ["key"]}`:       "COLLECTION_URL (from environment): missing property 'key'",
		`{"properties": {"url": {"type": "string", "pattern": "^https:"}}}`: "COLLECTION_URL (from environment): 'engine://host/name' does not match pattern '^https:'",
	} {
		_, err := a.InstalledConfig(&trust.Plugin{Name: "engine", Schema: schema})
		if wrong, ok := err.(*module.ConfigError); !ok || wrong.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
}
