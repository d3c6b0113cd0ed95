package cli

import (
	"encoding/json"
	"fmt"
	"html"
	"io"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/sagasu-search/sagasu/framework/internal/eval"
)

// What the thumbs of the page keep is what sagasu eval reads, and both measure the same.
func TestEvalReadsTheThumbsOfThePage(t *testing.T) {
	env, root := environment(t), sample(t)
	s := serveOver(t, append(slices.Clip(env), "WORKSPACE_ROOT="+root), "--listen", "127.0.0.1:0")
	defer http.DefaultClient.CloseIdleConnections()
	body := func(resp *http.Response, err error) string {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		defer resp.Body.Close()
		raw, err := io.ReadAll(resp.Body)
		if err != nil || resp.StatusCode != http.StatusOK {
			t.Fatalf("%s: %v %s", resp.Status, err, raw)
		}
		return html.UnescapeString(string(raw))
	}
	cut := func(page, pattern string) string {
		t.Helper()
		m := regexp.MustCompile(pattern).FindStringSubmatch(page)
		if m == nil {
			t.Fatalf("no %s in\n%s", pattern, page)
		}
		return m[1]
	}
	page := body(http.Get(s.url + "/?q=" + url.QueryEscape("who approves a deploy")))
	form := url.Values{"verdict": {"up"}, "rank": {"2"}, "trace": {cut(page, `name="trace" value="([^"]+)"`)}}
	body(http.PostForm(s.url+"/judge", form))

	page = body(http.Get(s.url + "/judged?measure=1&w.normalized=0&w.coverage=1.5&trace=" + form.Get("trace")))
	path := cut(page, `sagasu eval --queries (\S+) --workspace \S`)
	before := cut(page, `MRR@10</th><td>([\d.]+)</td>`)
	if now := cut(page, `MRR@10</th><td>[\d.]+</td><td>([\d.]+)</td>`); now == before {
		t.Errorf("other weights change nothing: %s", now)
	}
	measure := func(path string) (report eval.Report) {
		t.Helper()
		cmd := exec.Command(binary, "eval", "--queries", path, "--workspace", root, "--json")
		cmd.Env, cmd.Stderr = env, os.Stderr
		out, err := cmd.Output()
		if err == nil {
			err = json.Unmarshal(out, &report)
		}
		if err != nil {
			t.Fatal(err)
		}
		return report
	}
	report := measure(path)
	if got := fmt.Sprintf("%.4f", report.MRR); report.Queries != 1 || got != before {
		t.Errorf("sagasu eval measures an MRR of %s on %d queries, the page %s", got, report.Queries, before)
	}
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	older := regexp.MustCompile(`"start_line":(\d+)`).ReplaceAllString(string(raw), `"start_line":1${1}`)
	for name, tc := range map[string]struct {
		lines string
		mrr   string
		gone  int
	}{
		"of a file that was longer": {older, before, 0},
		"of a heading that is gone": {strings.Replace(older, `"heading":"`, `"heading":"No `, 1), "0.0000", 1},
	} {
		path := filepath.Join(t.TempDir(), "judged.jsonl")
		if err := os.WriteFile(path, []byte(tc.lines), 0o600); err != nil {
			t.Fatal(err)
		}
		report := measure(path)
		gone := 0
		for warning, n := range report.Warnings {
			if strings.Contains(warning, "not in the manuals any more") {
				gone += n
			}
		}
		if got := fmt.Sprintf("%.4f", report.MRR); got != tc.mrr || gone != tc.gone {
			t.Errorf("%s: MRR %s and %d queries with what is gone, want %s and %d", name, got, gone, tc.mrr, tc.gone)
		}
	}
	if state := body(http.Get(s.url + "/state")); !strings.Contains(state, `<th scope="row">normalized</th>`) {
		t.Errorf("the state lacks strategies:\n%s", state)
	}
}
