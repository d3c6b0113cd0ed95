package audit_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/sagasu-search/sagasu/framework/internal/vault/audit"
)

// tell writes the asserting elements with what they cite.
func tell(t *testing.T, name, artifact string) string {
	t.Helper()
	a := audit.Read(t.Context(), name, []byte(artifact))
	var parts []string
	for _, e := range a.Elements {
		if e.Asserts {
			cites := fmt.Sprint(e.Citation.Ranges)
			if len(e.Citation.Unreadable) > 0 {
				cites += fmt.Sprintf("%q", e.Citation.Unreadable)
			}
			parts = append(parts, fmt.Sprintf("%d:%s%s", e.Line, e.Text, cites))
		}
	}
	for _, l := range a.Loose {
		parts = append(parts, fmt.Sprintf("%d:loose%v", l.Line, l.Ranges))
	}
	return strings.Join(parts, " ")
}

func TestCitationsAreRead(t *testing.T) {
	for src, want := range map[string]string{
		"- x source_lines: 3":                                                "1:x[{3 3}]",
		"- x (source_lines: 3-5)":                                            "1:x[{3 5}]",
		"- x（source_lines：３〜５、８）":                                            "1:x[{3 5} {8 8}]",
		"- x source_lines: L3-L5, L9":                                        "1:x[{3 5} {9 9}]",
		"- x source_lines: 3–5 , 8":                                          "1:x[{3 5} {8 8}]",
		`- x <!-- {"source_lines": "3-5, 8"} -->`:                            "1:x[{3 5} {8 8}]",
		"- x <!-- source_lines: [3, 8] -->":                                  "1:x[{3 3} {8 8}]",
		"- x **source_lines**: 3":                                            "1:x[{3 3}]",
		"- x `source_lines: 3` and `source_lines: 9`":                        "1:x and[{3 3} {9 9}]",
		"- x source_lines: 5-3":                                              "1:x[{5 3}]",
		"- x source_lines: 99999999999999999999":                             "1:x[{2147483647 2147483647}]",
		"- x source_lines: TBD":                                              `1:x TBD[]["TBD"]`,
		"- x <!-- source_lines: -->":                                         `1:x[][""]`,
		"- cite as `source_lines: N-M`":                                      "1:cite as `N-M`[]",
		"- x\n\n  <!-- source_lines: 3 -->":                                  "1:x[{3 3}]",
		"- <!-- source_lines: 3 --> x":                                       "1:x[{3 3}]",
		"- x\n<!-- source_lines: 3 -->\n- y":                                 "1:x[{3 3}] 3:y[]",
		"<!-- source_lines: 3 -->\n- x\n<!-- source_lines: 4 -->\n- y":       "2:x[{3 3}] 4:y[{4 4}]",
		"<!-- source_lines: 3 -->\n- x\n- y\n<!-- source_lines: 4 -->\n- z":  "2:x[{3 3}] 3:y[] 5:z[{4 4}]",
		"- x\n<!-- source_lines: 3 -->\n- y\n<!-- source_lines: 4 -->":       "1:x[{3 3}] 3:y[{4 4}]",
		"# T\n<!-- source_lines: 3 -->\n- x":                                 "3:x[{3 3}]",
		"# T\n<!-- source_lines: 3 -->\n\n- x":                               "1:T[{3 3}] 4:x[]",
		"# T\n\n<!-- source_lines: 3 -->\n- x":                               "4:x[{3 3}]",
		"# T\n\nsource_lines: 3\n\ntext":                                     "1:T[{3 3}]",
		"# T\n\ntext (source_lines: 3)\n\n- x":                               "1:T[{3 3}] 5:x[]",
		"text source_lines: 3":                                               "1:loose[{3 3}]",
		"| a | b |\n|-|-|\n| c | d | source_lines: 3":                        "3:c d[{3 3}]",
		"| a | source_lines |\n|-|-|\n| c | 3-4 |\n| d | |":                  "3:c[{3 4}] 4:d[]",
		"| a | source_lines |\n|-|-|\n| c | soon |":                          `3:c[]["soon"]`,
		"| a |\n|-|\n| c |\n<!-- source_lines: 3 -->":                        "3:c[{3 3}]",
		"```\n- x source_lines: 3\n```":                                      "",
		"---\ntitle: x\nitems:\n- source_lines: 3\n---\n":                    "",
		"- a:\n  - x source_lines: 3":                                        "2:x[{3 3}]",
		"- 申請は不要です\n  - x source_lines: 3":                                   "1:申請は不要です[] 2:x[{3 3}]",
		"- [x](#y)\n- see [x](#y)\n- [x](#y) を参照\n- 詳細は[x](#y)へ":             "",
		"# 変更履歴\n\n| d | c |\n|-|-|\n| 1 | 初版 |\n\n# Open questions\n- who?": "",
		"- Version: 3\n- **作成日**: 2026":                                      "",
		"- x\r\n<!-- source_lines: 3 -->\r\n":                                "1:x[{3 3}]",
		"\ufeff- x source_lines: 3":                                          "1:x[{3 3}]",
	} {
		if got := tell(t, "a.md", src); got != want {
			t.Errorf("%q:\n got %s\nwant %s", src, got, want)
		}
	}
}

func TestTornCitationsAreUnreadable(t *testing.T) {
	for _, c := range []string{
		"1-2-3", "1.5", "1 2", "1..30", "1/25", "1-", "1,x", "3-5, 8foo", "1,,2", "1-5 9", "1 30", "1 - 2 - 3", "1 and 30", "1-x", "8foo", "1-2,99x",
	} {
		for _, form := range []string{"- x <!-- source_lines: %s -->\n", "- x (source_lines: %s)\n", "# T\n\n| a |\n|---|\n| x source_lines: %s |\n", "# T\n\n| a | source_lines |\n|---|---|\n| x | %s |\n"} {
			src := fmt.Sprintf(form, c)
			a := audit.Read(t.Context(), "a.md", []byte(src))
			last := a.Elements[len(a.Elements)-1].Citation
			if len(last.Unreadable) == 0 {
				t.Errorf("%q reads as %v", src, last.Ranges)
			}
		}
		if got := tell(t, "a.json", fmt.Sprintf(`{"id": "a", "text": "x", "source_lines": %q}`, c)); !strings.HasSuffix(got, `"]`) {
			t.Errorf("%q in JSON: %s", c, got)
		}
	}
	for src, want := range map[string]string{
		"- x <!--source_lines:11-->":                                                        "[{11 11}]",
		"- x source_lines: 3. Then more":                                                    "[{3 3}]",
		"- source_lines: 5 10日以内に支払う":                                                       "[{5 5}]",
		"- x (source_lines: 3, see above)":                                                  "[{3 3}]",
		"- x source_lines: 3行":                                                              "[{3 3}]",
		"- x source_lines: 3 - the rest":                                                    "[{3 3}]",
		"| a | b |\n|---|---|\n| source_lines: 3 | 4 |":                                     "[{3 3}]",
		"```mermaid\nflowchart TD\n  A[a source_lines: 3] --> B[b] %% source_lines: 4\n```": "[{4 4}]",
	} {
		if got := tell(t, "a.md", src); !strings.HasSuffix(got, want) {
			t.Errorf("%q: %s, want %s", src, got, want)
		}
	}
}

func TestChartCitations(t *testing.T) {
	for src, want := range map[string]string{
		"A[x] --> B[y] %% source_lines: 3":                          "2:x[{3 3}] 2:y[{3 3}] 2:A → B[{3 3}]",
		"%% source_lines: 3\nA[x]\nB[y]":                            "3:x[{3 3}] 4:y[]",
		"A[x]\n%% source_lines: 3":                                  "2:x[{3 3}]",
		"%% source_lines: 3\nA[x]\n%% source_lines: 4\nB[y]":        "3:x[{3 3}] 5:y[{4 4}]",
		"A[x]\n%% source_lines: 3\nB[y]\n%% source_lines: 4":        "2:x[{3 3}] 4:y[{4 4}]",
		"A[x]\nB[y]\n%% B: source_lines: 3":                         "2:x[] 3:y[{3 3}]",
		"A[x] -->|late| B[y]\n%% A-->B source_lines: 3":             "2:x[] 2:y[] 2:A → B late[{3 3}]",
		"A[x] e1@-->|late| B[y]\n%% e1, A source_lines: 3":          "2:x[{3 3}] 2:y[] 2:A → B late[{3 3}]",
		"A{x} -->|yes| B[y]\nA -->|red| C[z]\nB -->|ok| C":          "2:x[] 2:y[] 3:z[]",
		"A[x] -->|here| B[y]\nA -->|there| C[z]":                    "2:x[] 2:y[] 3:z[]",
		"A{x} -->|30日以内| B[y]\nB -->|red| A":                        "2:x[] 2:y[] 2:A → B 30日以内[] 3:B → A red[]",
		`A["x<br/>source_lines: 3-4"] -- "b source_lines: 5" --> B`: "2:x[{3 4}] 2:B[] 2:A → B b[{5 5}]",
		"A([開始]) --> B((End))\nB --> C@{ shape: join }":             "",
	} {
		if got := tell(t, "a.mmd", "flowchart TD\n"+src); got != want {
			t.Errorf("%q:\n got %s\nwant %s", src, got, want)
		}
	}
}
