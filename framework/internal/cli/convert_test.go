package cli

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"
)

// A server answers while a conversion takes long, says so of the document, and finds it afterwards.
func TestAServerAnswersWhileADocumentIsConverted(t *testing.T) {
	if testing.Short() {
		t.Skip("a conversion takes longer than a server waits")
	}
	env, dir := environment(t), t.TempDir()
	run := func(name string, args ...string) {
		t.Helper()
		cmd := exec.Command(name, args...)
		if name == binary {
			cmd.Env = env
		}
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%s %v: %v\n%s", name, args, err, out)
		}
	}
	converter := filepath.Join(dir, "paged"+filepath.Ext(binary))
	run("go", "build", "-o", converter, "./testdata/paged")
	run(binary, "plugin", "install", converter)
	manual := filepath.Join(dir, "manuals", "shop")
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(manual, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.MkdirAll(manual, 0o700); err != nil {
		t.Fatal(err)
	}
	write("fees.md", "# Fees\n\nA courier costs 900 yen.\n")
	write("slow.paged", "!slow\f# Animals\nA parrot speaks.")
	c := connect(t, env, "--workspace", dir)
	find := func(query string) (paths []string, skipped string) {
		t.Helper()
		found := must[struct {
			Passages []struct{ Path string }
			Warnings []string
			TraceID  string `json:"trace_id"`
		}](c, "manual_find", map[string]any{"query": query})
		for _, p := range found.Passages {
			paths = append(paths, p.Path)
		}
		hits := must[struct{ Items []json.RawMessage }](c, "manual_hits",
			map[string]any{"trace_id": found.TraceID, "kind": "skipped"})
		return paths, fmt.Sprintf("%s %v", hits.Items, found.Warnings)
	}
	paths, skipped := find("courier")
	const want = `[{"manual_id":"shop","path":"slow.paged","reason":"it is being converted"}] ` +
		`[documents that are being converted and not searched yet: 1]`
	if fmt.Sprint(paths) != "[fees.md]" || skipped != want {
		t.Fatalf("while it is converted: %v, %s", paths, skipped)
	}
	write("new.md", "# New\n\nA tortoise walks.\n")
	for deadline := time.Now().Add(time.Minute); ; {
		paths, skipped := find("what does a parrot do")
		if fmt.Sprint(paths) == "[slow.paged]" && skipped == "[] []" {
			break
		}
		if time.Now().After(deadline) {
			t.Fatalf("when it should be converted: %v, %s", paths, skipped)
		}
		time.Sleep(200 * time.Millisecond)
	}
}
