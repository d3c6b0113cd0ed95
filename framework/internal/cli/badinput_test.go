package cli

import (
	"bytes"
	"cmp"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/sagasu-search/sagasu/framework/internal/corpus"
	"github.com/sagasu-search/sagasu/framework/internal/doctor"
	"github.com/sagasu-search/sagasu/framework/internal/manuals"
	"github.com/sagasu-search/sagasu/framework/internal/search"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
)

// oddFile is a file as real folders have them, and what becomes of it.
type oddFile struct {
	name, content string
	text          string       // what is scanned, "" for the content
	link          string       // the file is a symbolic link to this
	word          string       // finds it, "" for nothing to find
	line          int          // of the section where the word stands
	skipped       string       // the start of doctor's reason, "" for a file that is searched
	read          toolset.Code // of manual_read without a scope, "" for the text
	scan          toolset.Code // of manual_scan
}

const (
	skipSpace = "its name begins or ends with white space"
	skipNUL   = "it holds NUL bytes"
	skipBytes = "it is no text, or its encoding is not known"
)

func oddFiles() []oddFile {
	every := make([]byte, 256)
	for i := range every {
		every[i] = byte(i)
	}
	large := "# Large\n" + strings.Repeat("filler text\n", (40<<20)/12)
	return []oddFile{
		{name: "plain.md", content: "# Plain\nplainword\n", word: "plainword", line: 1},
		{name: "empty.md"},
		{name: "empty.json"},
		{name: "one.md", content: "#"},
		{name: "one.json", content: "7"},
		{name: "large.md", content: large, skipped: "too large: ", read: toolset.NotAvailable},
		{name: "large.json", content: "[" + large + "]", skipped: "too large: "},
		{name: "binary.md", content: string(every), skipped: skipNUL, read: toolset.NotAvailable, scan: toolset.NotAvailable},
		{name: "nul.md", content: "# N\nnulword\x00\n", skipped: skipNUL, read: toolset.NotAvailable, scan: toolset.NotAvailable},
		{name: "noise.md", content: "# \xff\x01\x02\n", skipped: skipBytes, read: toolset.NotAvailable, scan: toolset.NotAvailable},
		{name: "utf16.md", content: "\xff\xfe#\x00 \x00\x51\x59\x04\x7d", text: "# 契約", word: "契約", line: 1},
		{name: "latin1.md", content: "# Caf\xe9\nlatinword\n", text: "# Café\nlatinword\n", word: "latinword", line: 1},
		{name: "sjis.md", content: "# \x95\xdb\x8c\xaf\n", text: "# 保険\n", word: "保険", line: 1},
		{name: "crlf.md", content: "# A\r\n\r\ncrlfword\r\n## B\r\nunderword\r\n", word: "underword", line: 4},
		{name: "cr.md", content: "# A\rfirst\r## B\rcrword\r", word: "crword", line: 3},
		{name: "bom.md", content: "\ufeff# Bom\nbomword\n", word: "bomword", line: 1},
		{name: "fence.md", content: "# Fence\n```sh\n# no heading\nfenceword\n", word: "fenceword", line: 1},
		{name: "deep.json", content: strings.Repeat(`{"a":`, 300) + `"deepword"` + strings.Repeat("}", 300), word: "deepword", line: 1},
		{name: "broken.json", content: `{"a": "brokenword", `, word: "brokenword", line: 1},
		{name: "long.md", content: "# Long\n\n" + strings.Repeat("y", 100_000) + " tailword\n", word: "tailword", line: 1},
		{name: "か\u3099いど.md", content: "# NFD\nnfdword\n", word: "nfdword", line: 1},
		{name: "sub/a b#%20.md", content: "# Odd\nspaceword\n", word: "spaceword", line: 1},
		{name: ".hidden.md", content: "# H\ndotword\n", word: "dotword", line: 1},
		{name: ".git/x.md", content: "# G\ngitword\n", read: toolset.OutOfScope, scan: toolset.OutOfScope},
		{name: "node_modules/x.md", content: "# G\n", read: toolset.OutOfScope, scan: toolset.OutOfScope},
		{name: "note.txt", content: "textword", word: "textword", line: 1},
		{name: "note.png", content: "text", read: toolset.OutOfScope, scan: toolset.OutOfScope},
		{name: "new\nline.md", content: "# N\n", skipped: "its name holds a line break", read: toolset.InvalidPath, scan: toolset.InvalidPath},
		{name: `back\slash.md`, content: "# B\n", skipped: "its name holds a backslash", read: toolset.NotFound, scan: toolset.NotFound},
		{name: "trail.md ", content: "# T\n", skipped: skipSpace, read: toolset.NotFound, scan: toolset.NotFound},
		{name: " lead.md", content: "# L\n", skipped: skipSpace, read: toolset.NotFound, scan: toolset.NotFound},
		{name: "c:drive.md", content: "# C\n", skipped: "its name begins like a drive letter", read: toolset.InvalidPath, scan: toolset.InvalidPath},
		{name: "link.md", link: "plain.md", skipped: "symbolic link", read: toolset.Forbidden, scan: toolset.Forbidden},
		{name: "out.md", link: "/etc/passwd", skipped: "symbolic link", read: toolset.Forbidden, scan: toolset.Forbidden},
		{name: "loop.md", link: "loop.md", skipped: "symbolic link", read: toolset.Forbidden, scan: toolset.Forbidden},
		{name: "linked", link: "sub", skipped: "symbolic link", read: toolset.Forbidden, scan: toolset.Forbidden},
	}
}

// oddFolder writes the files into a workspace and gives its folder.
func oddFolder(t *testing.T, files []oddFile) string {
	t.Helper()
	dir := t.TempDir()
	for _, f := range files {
		path := filepath.Join(dir, "manuals", "odd", filepath.FromSlash(f.name))
		err := os.MkdirAll(filepath.Dir(path), 0o755)
		switch {
		case err != nil:
		case f.link != "":
			err = os.Symlink(f.link, path)
		default:
			err = os.WriteFile(path, []byte(f.content), 0o644)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestFilesAsRealFoldersHaveThem(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("not every system has such names")
	}
	files := oddFiles()
	dir, env := oddFolder(t, files), environment(t)
	c := connect(t, env, "--workspace", dir)
	for _, f := range files {
		t.Run(f.name, func(t *testing.T) {
			c.t = t
			if f.word != "" {
				foundWhere(c, f)
			}
			ref := map[string]any{"manual_id": "odd", "path": f.name}
			if got := refusal(c, "manual_read", map[string]any{"ref": ref}, "ref.path"); got != f.read {
				t.Errorf("manual_read: %q, want %q", got, f.read)
			}
			if got := refusal(c, "manual_scan", ref, "path"); got != f.scan {
				t.Errorf("manual_scan: %q, want %q", got, f.scan)
			} else if got == "" && len(f.content) < 1<<20 && scanAll(c, "odd", f.name) != cmp.Or(f.text, f.content) {
				t.Error("the scan differs from the file")
			}
			if on, err := os.ReadFile(filepath.Join(dir, "manuals", "odd", f.name)); f.link == "" && (err != nil || !bytes.Equal(on, []byte(f.content))) {
				t.Errorf("the file was harmed: %v", err)
			}
		})
	}
	c.t = t
	checkSkips(t, files, diagnosis(t, env, dir))
}

// foundWhere checks that a word is found where it stands.
func foundWhere(c *client, f oddFile) {
	c.t.Helper()
	answer := must[search.Answer](c, "manual_find", map[string]any{"query": f.word})
	hits := must[search.Hits](c, "manual_hits", map[string]any{"trace_id": answer.TraceID})
	if len(hits.Items) != 1 || hits.Items[0].Ref.Path != f.name || hits.Items[0].Ref.StartLine != f.line {
		c.t.Errorf("%s: found %+v", f.word, hits.Items)
		return
	}
	ref := map[string]any{"manual_id": "odd", "path": hits.Items[0].Ref.Path, "start_line": f.line}
	reading := must[manuals.Reading](c, "manual_read", map[string]any{"ref": ref, "scope": "snippet", "expand": map[string]any{"after_chars": 12000}})
	if len(f.content) < 10_000 && !strings.Contains(reading.Text, f.word) {
		c.t.Errorf("%s: read %q", f.word, reading.Text)
	}
}

// refusal returns the code of a call's error, whose details must be whole and whose
// suggestions must be readable; "" for a call that succeeds.
func refusal(c *client, tool string, arguments map[string]any, parameter string) toolset.Code {
	c.t.Helper()
	var result struct {
		Error toolset.Error `json:"error"`
	}
	if !c.call(tool, arguments, &result) {
		return ""
	}
	details := result.Error.Details
	_, got := details["got"]
	if _, expected := details["expected"]; details["parameter"] != parameter || !got || !expected && details["reason"] == nil || result.Error.Message == "" {
		c.t.Errorf("%s(%v): %q, details %v", tool, arguments, result.Error.Message, details)
	}
	if !strings.HasSuffix(parameter, "path") {
		return result.Error.Code
	}
	for _, near := range list(details["did_you_mean"]) {
		ref := map[string]any{"manual_id": "odd", "path": near}
		if c.call("manual_read", map[string]any{"ref": ref}, &result) {
			c.t.Errorf("%s(%v) suggests %q, which cannot be read", tool, arguments, near)
		}
	}
	return result.Error.Code
}

func list(v any) []any { l, _ := v.([]any); return l }

// diagnosis returns what sagasu doctor says of a workspace.
func diagnosis(t *testing.T, env []string, dir string) doctor.Report {
	t.Helper()
	cmd := exec.Command(binary, "doctor", "--json", "--workspace", dir)
	cmd.Env = env
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("doctor: %v\n%s", err, out)
	}
	var report doctor.Report
	if err := json.Unmarshal(out, &report); err != nil {
		t.Fatal(err)
	}
	return report
}

func checkSkips(t *testing.T, files []oddFile, report doctor.Report) {
	t.Helper()
	reasons := map[string]string{}
	for _, s := range report.Skipped {
		reasons[s.Path] = s.Reason
	}
	for _, f := range files {
		if got := reasons[f.name]; !strings.HasPrefix(got, f.skipped) || (got == "") != (f.skipped == "") {
			t.Errorf("doctor on %q: %q, want %q", f.name, got, f.skipped)
		}
		delete(reasons, f.name)
	}
	if len(reasons) > 0 {
		t.Errorf("doctor also skips %v", reasons)
	}
}

func TestPathsThatLeadAstray(t *testing.T) {
	c := connect(t, environment(t), "--workspace", sample(t))
	for _, path := range []string{
		"", " ", ".", "..", "../x.md", "a/../../x.md", `..\x.md`, "/etc/passwd", `\etc\passwd`, "C:/x.md", "c:x.md", "a\x00.md", "a\nb.md",
	} {
		if got := refusal(c, "manual_scan", map[string]any{"manual_id": "aoba-nas", "path": path}, "path"); got != toolset.InvalidPath {
			t.Errorf("path %q: %q", path, got)
		}
		if got := refusal(c, "manual_scan", map[string]any{"manual_id": path, "path": "x.md"}, "manual_id"); got != toolset.InvalidPath {
			t.Errorf("manual_id %q: %q", path, got)
		}
		if got := refusal(c, "manual_ls", map[string]any{"id": path}, "id"); got != toolset.InvalidPath {
			t.Errorf("id %q: %q", path, got)
		}
	}
	for id, want := range map[string]toolset.Code{
		"dir::aoba-nas::..": toolset.InvalidPath, "dir::aoba-nas::%2e%2e": toolset.InvalidPath, "dir::aoba-nas::.git": toolset.OutOfScope,
		"dir::..::x": toolset.InvalidPath, "dir::aoba-nas": toolset.InvalidParameter, "aoba-nass": toolset.NotFound,
	} {
		if got := refusal(c, "manual_ls", map[string]any{"id": id}, "id"); got != want {
			t.Errorf("id %q: %q, want %q", id, got, want)
		}
	}
}

// A file that is replaced by a link between listing and reading gives its own
// text or an error, never what the link points at.
func TestAFileBecomesALinkWhileItIsIndexed(t *testing.T) {
	dir := oddFolder(t, []oddFile{{name: "a.md", content: "# A\nownword\n"}})
	secret := filepath.Join(t.TempDir(), "secret.md")
	if err := os.WriteFile(secret, []byte("# S\nsecretword\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if os.Symlink(secret, filepath.Join(dir, "probe")) != nil {
		t.Skip("no symbolic links here")
	}
	at := filepath.Join(dir, "manuals", "odd", "a.md")
	done := make(chan struct{})
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		for n := 0; ; n++ {
			select {
			case <-done:
				return
			default:
			}
			swapped := filepath.Join(dir, "swap")
			if os.Remove(swapped); n%2 == 0 {
				os.Symlink(secret, swapped)
			} else {
				os.WriteFile(swapped, []byte("# A\nownword\n"+strings.Repeat(".", n%100)), 0o644)
			}
			os.Rename(swapped, at)
		}
	}()
	c := connect(t, environment(t), "--workspace", dir)
	for range 100 {
		for tool, arguments := range map[string]map[string]any{
			"manual_find": {"query": "secretword"},
			"manual_read": {"ref": map[string]any{"manual_id": "odd", "path": "a.md"}},
		} {
			var raw json.RawMessage
			c.call(tool, arguments, &raw)
			// An answer may repeat the query where more is left to search.
			told := tool == "manual_read" && strings.Contains(string(raw), "secretword")
			if told || strings.Contains(string(raw), `"internal"`) || strings.Contains(string(raw), `"candidates":1`) {
				t.Fatalf("%s: %s", tool, raw)
			}
		}
	}
	close(done)
	<-ended
}

// What the limit of a file's size is, as the errors tell it.
func TestTheLargeFileIsLarge(t *testing.T) {
	for _, f := range oddFiles() {
		if large := strings.HasPrefix(f.name, "large."); large != (len(f.content) > corpus.MaxSize) {
			t.Errorf("%s has %d bytes", f.name, len(f.content))
		}
	}
}
