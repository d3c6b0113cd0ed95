package vault_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/sagasu-search/sagasu/framework/internal/toolset"
	"github.com/sagasu-search/sagasu/framework/internal/vault"
)

// ask calls a tool of a vault as a client does.
func ask(t *testing.T, tools []toolset.Tool, name string, args any, out any) *toolset.Error {
	t.Helper()
	raw, err := json.Marshal(args)
	must(t, err)
	i := slices.IndexFunc(tools, func(tool toolset.Tool) bool { return tool.Name == name })
	result, _, bad := tools[i].Call(session(t), raw)
	if bad != nil {
		return bad
	}
	raw, err = json.Marshal(result)
	must(t, err)
	must(t, json.Unmarshal(raw, out))
	return nil
}

func TestLineNumbers(t *testing.T) {
	v, dir := newVault(t)
	put(t, dir, "a.md", "one\r\n二つ\n\nfour")
	put(t, dir, "empty.md", "")
	for call, want := range map[string]string{
		`vault_read {"path":"a.md","full":true}`:                                                    "1: one\r\n2: 二つ\n3: \n4: four",
		`vault_read {"path":"a.md","range":{"start_line":2,"end_line":3}}`:                          "2: 二つ\n3: \n",
		`vault_read {"path":"a.md","offset":{"start_line":2,"char_offset":1}}`:                      "つ\n3: \n4: four",
		`vault_scan {"path":"a.md","cursor":{"start_line":3},"chunk_lines":1}`:                      "3: \n",
		`vault_scan {"path":"a.md","limits":{"max_chars":12}}`:                                      "1: one\r\n2: 二",
		`vault_scan {"path":"a.md","limits":{"max_chars":1}}`:                                       "1: o",
		`vault_read {"path":"empty.md","full":true}`:                                                "",
		`vault_scan {"path":"a.md","cited_ranges":[{"start_line":1,"end_line":4}],"chunk_lines":9}`: "",
	} {
		name, args, _ := strings.Cut(call, " ")
		var got struct{ Text string }
		if err := ask(t, v.Tools(), name, json.RawMessage(strings.TrimSuffix(args, "}")+`,"line_numbers":true}`), &got); err != nil || got.Text != want {
			t.Errorf("%s: %q, %v; want %q", call, got.Text, err, want)
		}
	}
}

// A reply costs at most what it may, says that it was cut, and the next goes on behind it.
func TestRepliesWithinTokens(t *testing.T) {
	v, dir := newVault(t)
	src := strings.Repeat("保証期間は三年です。The warranty <lasts> \"three\" years.\n", 60)
	put(t, dir, "a.md", src)
	for _, numbers := range []bool{false, true} {
		for _, most := range []int{200, 700, 50000} {
			got, cursor := "", map[string]any{"start_line": 1}
			for range 200 {
				var reply struct {
					Text            string
					TruncatedReason string             `json:"truncated_reason"`
					NextCursor      toolset.LineCursor `json:"next_cursor"`
					NextOffset      toolset.LineCursor `json:"next_offset"`
				}
				tool, at := "vault_read", "offset"
				if numbers {
					tool, at = "vault_scan", "cursor"
				}
				args := map[string]any{"path": "a.md", at: cursor, "line_numbers": numbers, "max_tokens": most}
				var raw json.RawMessage
				if err := ask(t, v.Tools(), tool, args, &raw); err != nil {
					t.Fatal(err)
				}
				must(t, json.Unmarshal(raw, &reply))
				if n := toolset.EstimateTokens(string(raw)); n > most || reply.TruncatedReason == "max_tokens" && n < most/2 {
					t.Errorf("%s, %d: %d tokens, %s", tool, most, n, reply.TruncatedReason)
				}
				for line := range strings.Lines(reply.Text) {
					if number := fmt.Sprintf("%d: ", strings.Count(got, "\n")+1); numbers && (got == "" || strings.HasSuffix(got, "\n")) {
						if !strings.HasPrefix(line, number) {
							t.Errorf("line %q is not numbered %s", line, number)
						}
						line = strings.TrimPrefix(line, number)
					}
					got += line
				}
				next := reply.NextCursor
				if !numbers {
					next = reply.NextOffset
				}
				if next.StartLine == nil {
					break
				}
				cursor = map[string]any{"start_line": *next.StartLine, "char_offset": *next.CharOffset}
			}
			if got != src {
				t.Errorf("%t, %d tokens: the pieces are not the file: %d bytes of %d", numbers, most, len(got), len(src))
			}
		}
	}
}

// Tokens that leave no room are refused with the least that works.
func TestTokensThatLeaveNoRoom(t *testing.T) {
	v, dir := newVault(t)
	put(t, dir, "a.md", numbered(300))
	cited := []toolset.Range{}
	for i := range 40 {
		cited = append(cited, toolset.Range{StartLine: 2 * (i + 1), EndLine: 2 * (i + 1)})
	}
	most := 100
	_, err := v.Scan(session(t), vault.ScanArgs{Path: "a.md", Cited: cited, Showing: vault.Showing{MaxTokens: &most}})
	if code(err) != toolset.InvalidParameter || toolset.AsError(err).Details["parameter"] != "max_tokens" {
		t.Fatal(err)
	}
	least := toolset.AsError(err).Details["nearest"].(int)
	if s, err := v.Scan(session(t), vault.ScanArgs{Path: "a.md", Cited: cited, Showing: vault.Showing{MaxTokens: &least}}); err != nil || s.Text == "" {
		t.Errorf("%d tokens: %+v, %v", least, s, err)
	}
	for _, bad := range []string{"99", "50001", `"x"`, "1.5", "true"} {
		for _, call := range []string{`vault_scan {"path":"a.md"`, `vault_read {"path":"a.md","full":true`, `vault_search {"query":"a"`} {
			name, args, _ := strings.Cut(call, " ")
			if err := ask(t, v.Tools(), name, json.RawMessage(fmt.Sprintf(`%s,"max_tokens":%s}`, args, bad)), nil); err == nil || err.Details["parameter"] != "max_tokens" {
				t.Errorf("%s, %s: %v", call, bad, err)
			}
		}
	}
}

func TestSearchWithinTokens(t *testing.T) {
	v, dir := newVault(t)
	for i := range 20 {
		put(t, dir, fmt.Sprintf("notes/n%02d.md", i), strings.Repeat("RAID rebuild takes 20 hours\n", 3))
	}
	most := 400
	r, err := v.Search(t.Context(), vault.SearchArgs{Query: "RAID", Mode: "plain", Limit: 50, MaxTokens: &most})
	must(t, err)
	raw, err := json.Marshal(r)
	must(t, err)
	if n := toolset.EstimateTokens(string(raw)); n > most || n < most/2 || r.Total != 60 || !r.Truncated || r.TruncatedReason != "max_tokens" {
		t.Errorf("%d tokens, %+v", n, r)
	}
	most = 100
	put(t, dir, strings.Repeat("long-", 40)+".md", "RAID")
	_, err = v.Search(t.Context(), vault.SearchArgs{Query: "RAID", Mode: "plain", Limit: 50, MaxTokens: &most})
	if code(err) != toolset.InvalidParameter || toolset.AsError(err).Details["parameter"] != "max_tokens" {
		t.Fatalf("%+v, %v", r, err)
	}
	most = toolset.AsError(err).Details["nearest"].(int)
	if r, err = v.Search(t.Context(), vault.SearchArgs{Query: "RAID", Mode: "plain", Limit: 50, MaxTokens: &most}); err != nil || len(r.Results) == 0 {
		t.Errorf("%+v, %v", r, err)
	}
}

// An empty file has no line, so none matches.
func TestTotalsCountLines(t *testing.T) {
	v, dir := newVault(t)
	put(t, dir, "empty.md", "")
	put(t, dir, "one.md", "x\n")
	for _, query := range []string{"^", "x*", "^$"} {
		want := 1
		if query == "^$" {
			want = 0
		}
		if r, err := v.Search(t.Context(), vault.SearchArgs{Query: query, Mode: "regex", Limit: 50}); err != nil || r.Total != want || len(r.Results) != want {
			t.Errorf("%s: %+v, %v", query, r, err)
		}
	}
}
