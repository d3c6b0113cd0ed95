package search

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sagasu-search/sagasu/framework/internal/toolset"
	"github.com/sagasu-search/sagasu/sdk/sdktest"
)

// shelved is an engine over notes of a vault, two of which cannot be searched.
func shelved(t *testing.T) *Engine {
	var rows []sdktest.Section
	for _, path := range []string{"a/one.md", "a/two.md", "b/three.md"} {
		rows = append(rows, sdktest.Section{Manual: "vault", Path: path, Body: "disk disk"})
	}
	e := engine(t, rows, fakes{list: []words{exact}})
	e.Shelf = Shelf{
		Folder: func(param, dir string) (string, error) {
			if dir == "none" {
				return "", toolset.Errorf(toolset.NotFound, "it does not exist").With("parameter", param)
			}
			if dir == "A" {
				return "a", nil
			}
			return dir, nil
		},
		Skipped: func() []toolset.Skip {
			return []toolset.Skip{{ManualID: "vault", Path: "a/bad.md", Reason: "not UTF-8"}, {ManualID: "vault", Path: "b/nul.txt", Reason: "it holds NUL"}}
		},
	}
	return e
}

func TestAVaultTellsWhatItCannotSearch(t *testing.T) {
	e := shelved(t)
	for _, c := range []struct {
		dir, glob string
		scanned   int
		skipped   []toolset.Skip
	}{
		{"", "", 3, []toolset.Skip{{Path: "a/bad.md", Reason: "not UTF-8"}, {Path: "b/nul.txt", Reason: "it holds NUL"}}},
		{"A", "", 2, []toolset.Skip{{Path: "a/bad.md", Reason: "not UTF-8"}}},
		{"", "*.txt", 0, []toolset.Skip{{Path: "b/nul.txt", Reason: "it holds NUL"}}},
		{"b", "*.md", 1, nil},
	} {
		answer, err := e.FindVault(t.Context(), VaultRequest{Query: "disk", Dir: c.dir, Glob: c.glob, MaxCandidates: 9, TimeMS: 60_000})
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(c.skipped, answer.Summary.Skipped); diff != "" || answer.Summary.ScannedFiles != c.scanned {
			t.Errorf("%s %s: %d files, skipped %s", c.dir, c.glob, answer.Summary.ScannedFiles, diff)
		}
		warned := slices.ContainsFunc(answer.Summary.Warnings, func(w string) bool { return w != "no file of the vault lies in the scope" })
		if warned != (len(c.skipped) > 0) {
			t.Errorf("%s %s: warnings %q", c.dir, c.glob, answer.Summary.Warnings)
		}
	}
	_, err := e.FindVault(t.Context(), VaultRequest{Query: "disk", Dir: "none", MaxCandidates: 9, TimeMS: 60_000})
	if bad := toolset.AsError(err); err == nil || bad.Code != toolset.NotFound || bad.Details["parameter"] != "scope.relative_dir" {
		t.Errorf("a folder that is not there: %v", err)
	}
}

func TestProposalsKeepTheScope(t *testing.T) {
	e := shelved(t)
	for query, most := range map[string]int{"nothing": 9, "disk": 1} {
		answer, err := e.FindVault(t.Context(), VaultRequest{Query: query, Dir: "a", Glob: "*.md", MaxCandidates: most, TimeMS: 60_000})
		if err != nil {
			t.Fatal(err)
		}
		checked := 0
		for _, a := range answer.NextActions {
			var scope any
			switch a.Type {
			case "vault_search":
				scope = map[string]any{"relative_dir": a.Params["relative_dir"], "glob": a.Params["glob"]}
			case "vault_find":
				scope = a.Params["scope"]
			default:
				continue
			}
			checked++
			if diff := cmp.Diff(map[string]any{"relative_dir": "a", "glob": "*.md"}, scope); diff != "" {
				t.Errorf("%s proposes %s without its scope: %s", query, a.Type, diff)
			}
		}
		if checked == 0 {
			t.Errorf("%s: no search is proposed in %+v", query, answer.NextActions)
		}
	}
}
