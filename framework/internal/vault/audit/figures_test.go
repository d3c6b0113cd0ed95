package audit_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/sagasu-search/sagasu/framework/internal/toolset"
	"github.com/sagasu-search/sagasu/framework/internal/vault/audit"
)

const rules = `# 保険の手引き

受付から30日以内に提出する。
10万円を超えるときは調査員が確かめる。
地震による損害は支払う。
エラー ERR-1042 ではディスクを替える。

詳細
----

承認は5営業日以内。
`

// What an element says in figures stands in the lines that it cites.
func TestFiguresStandInTheirLines(t *testing.T) {
	for src, want := range map[string]string{
		"- 30日以内に提出 <!-- source_lines: 3 -->":                                "",
		"- 14日以内に提出 <!-- source_lines: 3 -->":                                "1: 14日",
		"- 30日以内に提出 <!-- source_lines: 4 -->":                                "1: 30日",
		"- 30日以内に提出 <!-- source_lines: 4, 2-3 -->":                           "",
		"- 書類を提出 <!-- source_lines: 3 -->":                                   "",
		"- 地震は対象外 <!-- source_lines: 5 -->":                                  "1: 対象外",
		"- ERR-1042 のとき替える <!-- source_lines: 6 -->":                         "",
		"- ERR-1043 のとき替える <!-- source_lines: 6 -->":                         "1: err-1043",
		"| 期限 | source_lines |\n|---|---|\n| 40日 | 3 |":                      "3: 40日",
		"```mermaid\ngraph TD\nA[5日以内] --> B[承認] %% A source_lines: 11\n```": "3: 5日",
		"# 提出\n\n提出は20日以内でなければならない。 <!-- source_lines: 3 -->":                "1: 20日",
		"- 14日以内に提出":                                                         "",
		"- 14日以内に提出 <!-- source_lines: 99 -->":                               "",
		"- 14日以内に提出 <!-- source_lines: 1-11 -->":                             "1: 14日",
		"- 5日以内 14日以内 <!-- source_lines: 1-11 -->":                           "1: 14日, 5日",
	} {
		r := check(t, src, rules, audit.Options{})
		got := []string{}
		for _, f := range r.Findings {
			if f.Kind == audit.UnsupportedFigure {
				got = append(got, fmt.Sprintf("%d: %s", f.Line, strings.Split(f.Message, `says "`)[1][:strings.Index(strings.Split(f.Message, `says "`)[1], `"`)]))
			}
		}
		if strings.Join(got, "; ") != want || r.Unsupported != len(got) || len(got) > 0 && !r.NeedsForcedFullScan {
			t.Errorf("%s: %q, want %q in %+v", src, got, want, r.Findings)
		}
	}
	object := `[{"id":"a","label":"提出","text":"45日以内","source_lines":"3"},{"id":"b","label":"提出","text":"30日以内","source_lines":"3"}]`
	r := auditOf(t, "a.json", []byte(object), []byte(rules), audit.Options{SourcePath: "s.md"})
	if r.Unsupported != 1 || *r.Findings[0].NodeID != "a" {
		t.Errorf("JSON: %+v", r.Findings)
	}
}

// A number and the word in the next cell are read alike in a row and in the row of the source that it is.
func TestFiguresOfRows(t *testing.T) {
	const source = "# S\n\n| 方式 | 台数 | 容量 |\n|---|---|---|\n| RAID 0 | 2～4 | 全台分 |\n"
	for row, want := range map[string]int{"| RAID 0 | 2～4 | 全台分 |": 0, "| RAID 0 | 2～5 | 全台分 |": 1} {
		r := check(t, "| a | b | c |\n|---|---|---|\n"+row+" <!-- source_lines: 5 -->\n", source, audit.Options{})
		if r.Unsupported != want {
			t.Errorf("%s: %+v, want %d", row, r.Findings, want)
		}
	}
}

// Headings of a source are no text that must be cited, and citing them covers nothing.
func TestHeadingsCountForNeitherSide(t *testing.T) {
	for lines, want := range map[string]string{"3-6, 11": "1 []", "1-11": "1 []", "3-6": "0.8 [{11 11}]", "1-3, 8-9": "0.2 [{4 6} {11 11}]", "1": "0 [{3 11}]"} {
		r := check(t, "- x source_lines: "+lines, rules, audit.Options{})
		if got := fmt.Sprintf("%.2g %v", *r.CoverageRatio, r.Uncovered); got != want || r.RootlessNodes > 0 {
			t.Errorf("%s: %s, want %s; %+v", lines, got, want, r.Findings)
		}
	}
	if r := auditOf(t, "a.md", []byte("- x source_lines: 1"), []byte("# one\ntwo\n"), audit.Options{SourcePath: "s.json"}); *r.CoverageRatio != 0.5 {
		t.Errorf("not Markdown: %v", *r.CoverageRatio)
	}
}

// No scan is proposed twice, also where only headings stand before what is not cited.
func TestOneScanIsProposedOnce(t *testing.T) {
	for artifact, want := range map[string]int{
		"Only prose.": 1, "- x source_lines: 11": 1, "- x source_lines: 3": 2, "- x source_lines: 1-11\n- y": 1, "- x source_lines: 3-4": 2,
	} {
		for name, o := range map[string]audit.Options{"vault_scan": {}, "manual_scan": {Manual: &toolset.Ref{ManualID: "m", Path: "a.md"}}} {
			r := check(t, artifact, rules, o)
			n := 0
			for _, a := range r.NextActions {
				if a.Type == name {
					n++
				}
				if raw, _ := json.Marshal(a.Params); name == "manual_scan" && strings.Contains(string(raw), "notes/source.md") {
					t.Errorf("%s: a manual is proposed as a file of the vault: %s", artifact, raw)
				}
			}
			if n != want {
				t.Errorf("%s: %d scans of %s, want %d: %+v", artifact, n, name, want, r.NextActions)
			}
		}
	}
}
