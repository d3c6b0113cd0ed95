package cli

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/sagasu-search/sagasu/framework/internal/fusion"
	"github.com/sagasu-search/sagasu/framework/internal/manuals"
	"github.com/sagasu-search/sagasu/framework/internal/search"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
)

func TestMCPFindHitsReadScan(t *testing.T) {
	c := connect(t, environment(t), "--workspace", sample(t))
	warm(c)
	for _, tc := range []struct{ query, manual, holds string }{
		{"保険金が支払われない場合", "ienomori-yakkan", "保険金"},
		{"how do I replay dead letters", "minato-runbook", "dead letter"},
	} {
		t.Run(tc.query, func(t *testing.T) {
			answer := must[search.Answer](c, "manual_find", map[string]any{"query": tc.query})
			if answer.Summary.Candidates == 0 || len(answer.Warnings) > 0 || answer.NextActions == nil {
				t.Fatalf("answer %+v", answer)
			}
			hits := must[search.Hits](c, "manual_hits", map[string]any{"trace_id": answer.TraceID, "kind": "integrated_top", "limit": 5, "explain": true})
			best := hits.Items[0]
			if hits.ManualID+best.Ref.ManualID != tc.manual {
				t.Fatalf("best hit %+v of %s", best.Ref, hits.ManualID)
			}
			for _, source := range []string{"normalized", "loose", "coverage"} {
				if !slices.ContainsFunc(best.Explain, func(x fusion.Contribution) bool { return x.Source == source }) {
					t.Errorf("%s did not contribute: %+v", source, best.Explain)
				}
			}
			reading := must[manuals.Reading](c, "manual_read", map[string]any{
				"ref": map[string]any{"manual_id": tc.manual, "path": best.Ref.Path, "start_line": best.Ref.StartLine},
			})
			if !strings.Contains(strings.ToLower(reading.Text), tc.holds) {
				t.Errorf("the section does not hold %q: %s", tc.holds, reading.Text)
			}
			whole, err := os.ReadFile(filepath.Join(sample(t), "manuals", tc.manual, best.Ref.Path))
			if err != nil {
				t.Fatal(err)
			}
			if got := scanAll(c, tc.manual, best.Ref.Path); got != string(whole) {
				t.Errorf("the scan of %s differs from the file", best.Ref.Path)
			}
		})
	}
}

// scanAll reads a file to its end by the cursors.
func scanAll(c *client, id, path string) string {
	var all strings.Builder
	arguments := map[string]any{"manual_id": id, "path": path}
	for {
		piece := must[manuals.Scan](c, "manual_scan", arguments)
		all.WriteString(piece.Text)
		if piece.EOF {
			return all.String()
		}
		arguments["cursor"] = map[string]any{"char_offset": *piece.NextCursor.CharOffset}
	}
}

func TestMCPProposalsWorkAsTheyStand(t *testing.T) {
	c := connect(t, environment(t), "--workspace", sample(t))
	for _, query := range []string{"RAIDとは", "E-1042", "qqqq zzzz", "保証 qqqq", "what is a fingerprint", "a"} {
		answer := must[search.Answer](c, "manual_find", map[string]any{"query": query, "budget": map[string]any{"max_candidates": 4}})
		for _, a := range answer.NextActions {
			must[json.RawMessage](c, a.Type, a.Params)
		}
	}
}

// Clients cut off instructions that are longer.
func TestMCPInstructionsAreShort(t *testing.T) {
	c := connect(t, environment(t), "--workspace", sample(t), "--toolsets", "manual,vault,bridge,rrf,logic")
	for _, tool := range []string{"manual_find", "manual_search", "manual_links", "vault_create", "bridge_copy_section", "rrf_blend_frontier", "find_logic_evidence"} {
		if !strings.Contains(c.hello.Instructions, tool) {
			t.Errorf("the instructions do not name %s", tool)
		}
	}
	if n := utf8.RuneCountInString(c.hello.Instructions); n > 1500 {
		t.Errorf("the instructions have %d characters, at most 1500 are read", n)
	}
}

// A server speaks of nothing that it does not serve.
func TestMCPInstructionsFitTheTools(t *testing.T) {
	for toolsets, words := range map[string][]string{"rrf": {"rrf_blend_frontier"}, "vault": {"vault_create"}, "logic": {"find_logic_evidence"}} {
		c := connect(t, environment(t), "--workspace", sample(t), "--toolsets", toolsets)
		if got := c.hello.Instructions; strings.Contains(got, "manual") || strings.Contains(got, "bridge_") || !strings.Contains(got, words[0]) {
			t.Errorf("the instructions of %s: %s", toolsets, got)
		}
	}
}

// questions are asked by an agent, each with the fact that the manuals hold and where.
var questions = []struct{ query, manual, path, fact string }{
	{"RAID 6 は同時に何台まで故障してよいですか", "aoba-nas", "06-disk-raid.md", "| RAID 6 | 4 | 8 TB | 2 |"},
	{"ディスクの表面検査はいつ行われますか", "aoba-nas", "06-disk-raid.md", "毎月第 1 日曜の午前 2 時"},
	{"ごみ箱に消したファイルは何日残りますか", "aoba-nas", "04-kyoyu-folder.md", "30 日残り"},
	{"免責金額とは何ですか", "ienomori-yakkan", "01-teigi.md", "損害の額から差し引いて契約者が自分で負担する額"},
	{"how long before a certificate expires does renewal start", "minato-runbook", "02-alerts.md", "Renewal is automatic at 30 days"},
	{"when does a run stop because the disk is full", "tsumugi-cli", "11-troubleshooting.md", "less than 512 MiB"},
	{"how do I replay dead letters", "minato-runbook", "06-queue.md", "minatoctl queue replay orders.dead"},
	{"exit code 3", "tsumugi-cli", "10-exit-codes.md", "`tsumugi.toml` is missing or invalid"},
	{"who is eligible for prod access", "minato-runbook", "08-access.md", "have carried the pager in shadow for two weeks"},
	{"E-1205 の意味", "aoba-nas", "10-error-codes.md", "同じ IP アドレスを使う機器がほかにあります"},
}

// An agent answers ten questions in ten calls: the first reply shows each fact, with its place.
func TestMCPTenQuestionsInTenCalls(t *testing.T) {
	c := connect(t, environment(t), "--workspace", sample(t), "--strategy-time-ms", "20000")
	warm(c)
	before := c.id
	for _, q := range questions {
		answer := must[search.Answer](c, "manual_find", map[string]any{"query": q.query})
		shown := slices.ContainsFunc(answer.Passages, func(p search.Passage) bool {
			return p.ManualID == q.manual && p.Path == q.path && p.Lines != "" && p.Breadcrumb != "" && strings.Contains(p.Text, q.fact)
		})
		if !shown {
			t.Errorf("%s: no passage shows %q: %+v", q.query, q.fact, answer.Passages)
		}
	}
	if calls := c.id - before; calls != 10 {
		t.Errorf("%d calls for ten questions", calls)
	}
}

func TestMCPListsWhatThereIs(t *testing.T) {
	c := connect(t, environment(t), "--workspace", sample(t))
	listing := must[manuals.Listing](c, "manual_ls", map[string]any{})
	if len(listing.Items) != 4 || listing.Items[0].Name != "aoba-nas" {
		t.Errorf("manuals %+v", listing.Items)
	}
	toc := must[manuals.Toc](c, "manual_toc", map[string]any{"manual_id": "tsumugi-cli"})
	if len(toc.Items) != 20 {
		t.Errorf("%d files in the table of contents, want 20", len(toc.Items))
	}
}

func TestMCPErrorsAreStructured(t *testing.T) {
	c := connect(t, environment(t), "--workspace", sample(t))
	for _, tc := range []struct {
		tool      string
		arguments map[string]any
		code      toolset.Code
		parameter string
	}{
		{"manual_find", map[string]any{}, toolset.InvalidParameter, "query"},
		{"manual_find", map[string]any{"query": "x", "budget": map[string]any{"time_ms": 0}}, toolset.InvalidParameter, "budget.time_ms"},
		{"manual_find", map[string]any{"query": "x", "use_cache": "yes"}, toolset.InvalidParameter, "use_cache"},
		{"manual_find", map[string]any{"query": "x", "manual_id": "aoba"}, toolset.NotFound, "manual_id"},
		{"manual_hits", map[string]any{"trace_id": "gone"}, toolset.NotFound, "trace_id"},
		{"manual_hits", map[string]any{"trace_id": "x", "limit": 1001}, toolset.InvalidParameter, "limit"},
		{"manual_read", map[string]any{"ref": map[string]any{"manual_id": "aoba-nas", "path": "../x.md"}}, toolset.InvalidPath, "ref.path"},
		{"manual_scan", map[string]any{"manual_id": "aoba-nas", "path": "none.md"}, toolset.NotFound, "path"},
		{"manual_toc", map[string]any{"manual_id": ".."}, toolset.InvalidPath, "manual_id"},
	} {
		var result struct {
			Error toolset.Error `json:"error"`
		}
		if !c.call(tc.tool, tc.arguments, &result) {
			t.Errorf("%s(%v) succeeded", tc.tool, tc.arguments)
		}
		if result.Error.Code != tc.code || result.Error.Details["parameter"] != tc.parameter || result.Error.Message == "" {
			t.Errorf("%s(%v): %+v", tc.tool, tc.arguments, result.Error)
		}
	}
}

func TestMCPEndsWithItsInput(t *testing.T) {
	c := connect(t, environment(t), "--workspace", sample(t))
	must[search.Answer](c, "manual_find", map[string]any{"query": "RAID"})
	c.in.Close()
	if err := c.cmd.Wait(); err != nil {
		t.Errorf("%v ended with %v\n%s", c, err, c.stderr)
	}
	if strings.Contains(c.stderr.String(), "RAID") {
		t.Error("the log holds a query text")
	}
}
