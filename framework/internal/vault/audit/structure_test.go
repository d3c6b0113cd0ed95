package audit_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/sagasu-search/sagasu/framework/internal/toolset"
	"github.com/sagasu-search/sagasu/framework/internal/vault/audit"
)

// defects writes the orphans and one-way references of an artifact.
func defects(t *testing.T, name, artifact string) string {
	t.Helper()
	r := auditOf(t, name, []byte(artifact), []byte("x"), audit.Options{AllowUncited: true, CitedRanges: []toolset.Range{{StartLine: 1, EndLine: 1}}})
	var parts []string
	for _, f := range r.Findings {
		id := "-"
		if f.NodeID != nil {
			id = *f.NodeID
		}
		parts = append(parts, fmt.Sprintf("%s@%d:%s", f.Kind, f.Line, id))
	}
	return strings.Join(parts, " ")
}

func TestOrphansOfCharts(t *testing.T) {
	for src, want := range map[string]string{
		"A --> B --> C":                                      "",
		"A":                                                  "orphan_branch@2:A",
		"A --> B\nC":                                         "orphan_branch@3:C",
		"A --> B\nA ~~~ C":                                   "orphan_branch@3:C",
		"A --> B\nC --> D --> E":                             "orphan_branch@3:C",
		"A --> B --> C\nX --> C":                             "orphan_branch@3:X",
		"X --> Y\nA --> B --> C --> D":                       "orphan_branch@2:X",
		"X([start]) --> Y\nA --> B --> C --> D":              "orphan_branch@3:A",
		"A([tel]) --> C\nB([web]) --> C":                     "",
		"A --> B\nC --> D\nD --> C":                          "orphan_branch@3:C",
		"A --> B --> A":                                      "",
		"A --- B --- C":                                      "",
		"B <-- A":                                            `rootless_node@2:-`,
		"A --> B{x}":                                         "orphan_branch@2:B",
		"A --> B{x} --> C":                                   "orphan_branch@2:B",
		"A --> B{x} --> C\nB --> D":                          "",
		"A --> B{x} -->|yes| C\nB -->|no| C":                 "",
		"A --> B{x} -->|yes| C\nB -->|no| B":                 "",
		"A --> B{{x}} --> C":                                 "",
		"A --> B@{ shape: decision } --> C":                  "orphan_branch@2:B",
		"subgraph s\nA --> B\nend\ns --> C":                  "",
		"subgraph s\nA --> B\nX\nend\ns --> C":               "orphan_branch@4:X",
		"subgraph s\nA\nB\nend\ns --> C":                     "",
		"A --> s\nsubgraph s\nB --> C\nend\ns --> D":         "",
		"A --> s\nsubgraph s\nsubgraph t\nB --> C\nend\nend": "",
		"A --> B\nsubgraph s [Legend]\nX\nY{z}\nend":         "",
		"A --> B\nstyle C fill:red":                          "one_way_ref@3:style",
		"A --> B\nlinkStyle 1 stroke:red":                    "one_way_ref@3:linkStyle",
		"A --> B\nsubgraph s\nB\nend\nclass s,A hot\nlinkStyle default color:red": "",
	} {
		if got := defects(t, "a.mmd", "flowchart TD\n"+src); got != want {
			t.Errorf("%q: %s, want %s", src, got, want)
		}
	}
}

func TestReferencesOfMarkdown(t *testing.T) {
	for src, want := range map[string]string{
		"# 第1条 通知\n\n[x](#第1条-通知)":                            "",
		"# A, b & C!\n\n[x](#a-b--c)":                         "",
		"# A\n# A\n[x](#a-1) [y](#a-2)":                       "one_way_ref@3:-",
		"# A {#custom}\n[x](#custom)":                         "",
		"<a id=\"p\"></a>\n\n[x](#p)":                         "",
		"- <a name='p'>x</a>\n- [x](#P)":                      "",
		"[x](#%E9%80%9A%E7%9F%A5)\n\n# 通知":                    "",
		"[x](#) [y](#top) [z](https://e.org/#q)":              "",
		"[x](other.md#y) [z](./a.md#y)":                       "one_way_ref@1:-",
		"[x][r]\n\n[r]: #nowhere":                             "one_way_ref@1:-",
		"<a href=\"#nowhere\">x</a>":                          "one_way_ref@1:-",
		"`[x](#nowhere)`\n\n```\n[x](#nowhere)\n```":          "",
		"# A\n↔ [b](#b)\n# B\n":                               "one_way_ref@2:-",
		"# A\n↔ [b](#b)\n# B\n[a](#a)\n":                      "",
		"# A\n↔ [b](#b)\n# B\n## C\n- [a](#a)":                "",
		"# A\n相互参照: [b](#b)\n# B\n# C\n[a](#a)":               "one_way_ref@2:-",
		"# A\n[b](#b)\n# B\n":                                 "",
		"# A\n```mermaid\ngraph LR\nN1 --> N2\n```\n[n](#N2)": "",
	} {
		if got := defects(t, "a.md", src); got != want {
			t.Errorf("%q: %s, want %s", src, got, want)
		}
	}
}

func TestStructureOfJSON(t *testing.T) {
	for src, want := range map[string]string{
		`[{"id":"a","next":"b"},{"id":"b"}]`:                                                                  "",
		`[{"id":"a","next":"c"},{"id":"b"}]`:                                                                  "one_way_ref@1:a",
		`[{"id":1,"next":2},{"id":2,"next":null}]`:                                                            "",
		`[{"id":"a","next":"end"},{"id":"b","next":"a"}]`:                                                     "",
		`[{"id":"a","next":"b"},{"id":"b"},{"id":"c"}]`:                                                       "orphan_branch@1:c",
		`[{"id":"a","next":"b"},{"id":"b"},{"id":"c","next":"b"}]`:                                            "orphan_branch@1:c",
		`[{"id":"a","next":"b","start":true},{"id":"b"},{"id":"c","next":"b","start":true}]`:                  "",
		`[{"id":"a","text":"next is b"},{"id":"b"}]`:                                                          "",
		`[{"id":"a","target":"production"},{"id":"b"}]`:                                                       "",
		`[{"id":"a","target":"b"},{"id":"b","target":"d"}]`:                                                   "one_way_ref@1:b",
		`[{"id":"a","next":"b"},{"id":"b","prev":"a"}]`:                                                       "",
		`[{"id":"a","next":"b"},{"id":"b","next":"c"},{"id":"c","prev":"b"}]`:                                 "one_way_ref@1:a",
		`[{"id":"a","two_way":["b"]},{"id":"b"}]`:                                                             "one_way_ref@1:a",
		`[{"id":"a","links":[{"to":"b","two_way":true}]},{"id":"b"}]`:                                         "one_way_ref@1:a",
		`[{"id":"a","links":[{"to":"b","two_way":true}]},{"id":"b","links":[{"to":"a"}]}]`:                    "",
		`[{"id":"a","next":"d"},{"id":"d","type":"decision","yes":"e","no":"e"},{"id":"e"}]`:                  "",
		`[{"id":"a","next":"d"},{"id":"d","type":"decision","yes":"e"},{"id":"e"}]`:                           "orphan_branch@1:d",
		`[{"id":"a","next":"d"},{"id":"d","branches":[{"when":"x","then":"a"}]}]`:                             "",
		`{"nodes":[{"id":"a"},{"id":"b"},{"id":"c"}],"edges":[{"from":"a","to":"b"}]}`:                        "orphan_branch@1:c",
		`{"nodes":[{"id":"a"},{"id":"b"}],"edges":[{"source":"a","target":"z"},{"source":"a","target":"b"}]}`: "one_way_ref@1:-",
		"{\"id\":\"a\",\n\"x\": }":                                                                            "rootless_node@2:-",
		"[{\"id\":\"a\"}\n":                                                                                   "rootless_node@1:-",
		"":                                                                                                    "rootless_node@1:-",
		`{"id":"a"} {}`:                                                                                       "rootless_node@1:-",
	} {
		if got := defects(t, "a.json", src); got != want {
			t.Errorf("%s: %s, want %s", src, got, want)
		}
	}
}
