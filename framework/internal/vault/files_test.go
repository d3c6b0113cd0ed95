package vault_test

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/sagasu-search/sagasu/framework/internal/rootfs"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
	"github.com/sagasu-search/sagasu/framework/internal/vault"
	"github.com/sagasu-search/sagasu/framework/internal/vault/bridge"
)

const day = "artifacts/daily/2026-01-31.md"

func sum(text string) string {
	s := sha256.Sum256([]byte(text))
	return hex.EncodeToString(s[:])
}

func TestNoByteOrderMarkInTheMiddle(t *testing.T) {
	v, dir := newVault(t)
	put(t, dir, "notes/a.md", "one\n")
	put(t, dir, "notes/empty.md", "")
	for _, path := range []string{"notes/a.md", "notes/empty.md"} {
		_, err := v.Write(t.Context(), vault.WriteArgs{Path: rootfs.Path(path), Content: "\ufefftwo\n", Mode: "append"})
		must(t, err)
	}
	if a, empty := get(t, dir, "notes/a.md"), get(t, dir, "notes/empty.md"); a != "one\ntwo\n" || empty != "\ufefftwo\n" {
		t.Errorf("%q, %q", a, empty)
	}
}

func TestWrites(t *testing.T) {
	v, dir := newVault(t)
	ctx := t.Context()
	w, err := v.Create(ctx, vault.CreateArgs{Path: "drafts/new/a.md", Content: "一\n"})
	must(t, err)
	if w.WrittenPath != "drafts/new/a.md" || w.WrittenBytes != 4 || w.SHA256 != sum("一\n") {
		t.Errorf("created: %+v", w)
	}
	if _, err := v.Create(ctx, vault.CreateArgs{Path: "drafts/new/a.md", Content: "x"}); code(err) != toolset.Conflict {
		t.Errorf("created twice: %v", err)
	}
	w, err = v.Write(ctx, vault.WriteArgs{Path: "drafts/new/a.md", Content: "二\n", Mode: "append", ExpectedSHA256: strings.ToUpper(sum("一\n"))})
	must(t, err)
	if got := get(t, dir, "drafts/new/a.md"); got != "一\n二\n" || w.SHA256 != sum(got) || w.WrittenBytes != 4 {
		t.Errorf("appended: %q, %+v", got, w)
	}
	_, err = v.Write(ctx, vault.WriteArgs{Path: "drafts/new/a.md", Content: "x", Mode: "overwrite", ExpectedSHA256: sum("一\n")})
	if code(err) != toolset.Conflict || toolset.AsError(err).Details["current_sha256"] != sum("一\n二\n") {
		t.Errorf("a stale overwrite: %v", err)
	}
	r, err := v.Replace(ctx, vault.ReplaceArgs{Path: "drafts/new/a.md", Find: "\n", Replace: "$1.\n", MaxReplacements: 1})
	must(t, err)
	if got := get(t, dir, "drafts/new/a.md"); got != "一$1.\n二\n" || r.Replacements != 1 || r.Remaining != 1 || r.SHA256 != sum(got) {
		t.Errorf("replaced: %q, %+v", got, r)
	}
	_, err = v.Write(ctx, vault.WriteArgs{Path: "drafts/new/a.md", Content: "", Mode: "overwrite"})
	must(t, err)
	if got := get(t, dir, "drafts/new/a.md"); got != "" {
		t.Errorf("overwritten: %q", got)
	}
	if left := leftovers(t, dir); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

func TestRefusedWritesChangeNothing(t *testing.T) {
	v, dir := newVault(t)
	ctx := t.Context()
	put(t, dir, "notes/a.md", "text")
	put(t, dir, "notes/b.bin", "a\x00b")
	put(t, dir, day, "- one\n")
	write := func(path, mode string) error {
		_, err := v.Write(ctx, vault.WriteArgs{Path: rootfs.Path(path), Content: "x", Mode: mode})
		return err
	}
	replace := func(path, find string) error {
		_, err := v.Replace(ctx, vault.ReplaceArgs{Path: rootfs.Path(path), Find: find, Replace: "x", MaxReplacements: 1})
		return err
	}
	create := func(path string) error {
		_, err := v.Create(ctx, vault.CreateArgs{Path: rootfs.Path(path), Content: "x"})
		return err
	}
	cases := map[string]struct {
		err  error
		code toolset.Code
	}{
		"missing":               {write("notes/none.md", "append"), toolset.NotFound},
		"missing folder":        {write("none/none.md", "overwrite"), toolset.NotFound},
		"folder":                {write("notes", "overwrite"), toolset.InvalidPath},
		"below a file":          {create("notes/a.md/b.md"), toolset.InvalidPath},
		"a folder as new file":  {create("notes"), toolset.InvalidPath},
		"long name":             {create("notes/" + strings.Repeat("n", 300)), toolset.InvalidPath},
		"append to binary":      {write("notes/b.bin", "append"), toolset.NotAvailable},
		"replace in binary":     {replace("notes/b.bin", "a"), toolset.NotAvailable},
		"find absent":           {replace("notes/a.md", "nothing"), toolset.NotFound},
		"daily overwrite":       {write(day, "overwrite"), toolset.Forbidden},
		"daily replace":         {replace(day, "one"), toolset.Forbidden},
		"daily created twice":   {create(day), toolset.Conflict},
		"daily append, missing": {write("artifacts/daily/2026-02-01.md", "append"), toolset.NotFound},
		"NUL": {func() error {
			_, err := v.Create(ctx, vault.CreateArgs{Path: "notes/n.md", Content: "a\x00"})
			return err
		}(), toolset.InvalidParameter},
		"bad sum": {func() error {
			_, err := v.Write(ctx, vault.WriteArgs{Path: "notes/a.md", Mode: "append", ExpectedSHA256: "abc"})
			return err
		}(), toolset.InvalidParameter},
	}
	for name, c := range cases {
		if code(c.err) != c.code {
			t.Errorf("%s: %v, want %s", name, c.err, c.code)
		}
	}
	for name, want := range map[string]string{"notes/a.md": "text", "notes/b.bin": "a\x00b", day: "- one\n"} {
		if got := get(t, dir, name); got != want {
			t.Errorf("%s is %q now", name, got)
		}
	}
	if left := leftovers(t, dir); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

func TestDailyGrows(t *testing.T) {
	v, dir := newVault(t)
	_, err := v.Create(t.Context(), vault.CreateArgs{Path: rootfs.Path(day), Content: "- one\n"})
	must(t, err)
	w, err := v.Write(t.Context(), vault.WriteArgs{Path: "Artifacts/DAILY/2026-01-31.MD", Content: "- two\n", Mode: "append"})
	must(t, err)
	if got := get(t, dir, day); got != "- one\n- two\n" || w.WrittenPath != day {
		t.Errorf("%s holds %q", w.WrittenPath, got)
	}
	if _, err := v.Log(day); code(err) != toolset.NotFound {
		t.Errorf("what only grew has history: %v", err)
	}
}

func TestAForeignEditIsNotLost(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "vault")
	put(t, dir, "notes/a.md", "one\n")
	o := options(dir)
	v := vault.New(o)
	// An editor saves between reading and writing, the first three times.
	edits := 0
	imported, err := v.Import(t.Context(), bridge.Import{Param: "to_path", Path: "notes/a.md", Mode: "append", Build: func(old []byte) (bridge.Content, error) {
		if edits++; edits <= 3 {
			put(t, dir, "notes/a.md", string(old)+fmt.Sprintf("edit %d\n", edits))
		}
		return bridge.Content{Text: append(old, "ours\n"...)}, nil
	}})
	must(t, err)
	if got := get(t, dir, imported.Path); got != "one\nedit 1\nedit 2\nedit 3\nours\n" {
		t.Errorf("%q", got)
	}
}

func TestWaitingForALockEnds(t *testing.T) {
	v, dir := newVault(t)
	put(t, dir, "notes/a.md", "one\n")
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	inside, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		v.Import(t.Context(), bridge.Import{Path: "notes/a.md", Mode: "append", Build: func(old []byte) (bridge.Content, error) {
			close(inside)
			<-ctx.Done()
			return bridge.Content{}, errors.New("given up")
		}})
	}()
	<-inside
	_, err := v.Write(ctx, vault.WriteArgs{Path: "notes/a.md", Content: "x", Mode: "append"})
	if !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("%v", err)
	}
	<-done
	if got := get(t, dir, "notes/a.md"); got != "one\n" {
		t.Errorf("%q", got)
	}
}

func TestLeftoversAreSwept(t *testing.T) {
	v, dir := newVault(t)
	put(t, dir, "notes/.sagasu-tmp-old", "half")
	put(t, dir, "notes/.sagasu-tmp-new", "half")
	past := time.Now().Add(-time.Hour)
	must(t, os.Chtimes(filepath.Join(dir, "notes", ".sagasu-tmp-old"), past, past))
	put(t, dir, "notes/.sagasu-tmp-future", "half")
	future := time.Now().AddDate(1, 0, 0)
	must(t, os.Chtimes(filepath.Join(dir, "notes", ".sagasu-tmp-future"), future, future))
	_, err := v.Create(t.Context(), vault.CreateArgs{Path: "notes/a.md", Content: "x"})
	must(t, err)
	if left := leftovers(t, dir); len(left) != 1 || !strings.HasSuffix(left[0], "new") {
		t.Errorf("left: %v", left)
	}
	listing, err := v.Ls(t.Context(), vault.LsArgs{Dir: "notes", System: true})
	must(t, err)
	if len(listing.Entries) != 1 {
		t.Errorf("listed: %+v", listing)
	}
}

func TestChangedIsTold(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "vault")
	o := options(dir)
	var told []string
	o.Changed = func(name string) { told = append(told, name) }
	v := vault.New(o)
	_, err := v.Create(t.Context(), vault.CreateArgs{Path: "notes/a.md", Content: "x"})
	must(t, err)
	_, err = v.Write(t.Context(), vault.WriteArgs{Path: "notes/a.md", Content: "x", Mode: "overwrite"})
	must(t, err)
	if len(told) != 1 || told[0] != filepath.Join(v.Dir(), "notes", "a.md") {
		t.Errorf("told %v", told)
	}
}

func TestARefusedCreateLeavesNoFolder(t *testing.T) {
	v, dir := newVault(t)
	put(t, dir, "notes/a.md", "one\n")
	long := strings.Repeat("x", 300)
	for path, want := range map[string]toolset.Code{
		"new/" + long + ".md": toolset.InvalidPath, "new/deep/" + long + ".md": toolset.InvalidPath,
		"new/" + long + "/a.md": toolset.InvalidPath, "notes/new/" + long + ".md": toolset.InvalidPath,
	} {
		_, err := v.Create(t.Context(), vault.CreateArgs{Path: rootfs.Path(path), Content: "x"})
		if code(err) != want {
			t.Errorf("%.20s: %v", path, err)
		}
		for _, folder := range []string{"new", "notes/new"} {
			if _, err := os.Stat(filepath.Join(dir, folder)); err == nil {
				t.Errorf("%.20s left %s behind", path, folder)
			}
		}
	}
	_, err := v.Create(t.Context(), vault.CreateArgs{Path: "new/deep/a.md", Content: "x"})
	must(t, err)
	_, err = v.Create(t.Context(), vault.CreateArgs{Path: "new/deep/deeper/" + rootfs.Path(long), Content: "x"})
	if got := get(t, dir, "new/deep/a.md"); code(err) != toolset.InvalidPath || got != "x" {
		t.Errorf("%v, %q", err, got)
	}
}

// JSON that is whole stays whole; what is not whole yet grows in pieces.
func TestAppendingKeepsJSONWhole(t *testing.T) {
	v, dir := newVault(t)
	for _, c := range []struct {
		old, more string
		refused   bool
	}{
		{"{\"a\": 1}\n", "{\"b\": 2}\n", true}, {"\ufeff[1]", ",2]", true}, {"[\n1\n]\n\n", "text", true}, {"1", " 2", true},
		{"{\"a\": 1}\n", "\n \t", false}, {"", "{}", false}, {"[1,", "2", false}, {"[1,", "2]", false}, {"not JSON", "{}", false},
	} {
		put(t, dir, "a.json", c.old)
		_, err := v.Write(t.Context(), vault.WriteArgs{Path: "a.json", Content: c.more, Mode: vault.ModeAppend})
		if c.refused != (err != nil) || err != nil && (code(err) != toolset.InvalidParameter || toolset.AsError(err).Details["parameter"] != "content") {
			t.Errorf("%q to %q: %v", c.more, c.old, err)
		}
		want := c.old
		if !c.refused {
			want += c.more
		}
		if got, err := os.ReadFile(filepath.Join(dir, "a.json")); err != nil || string(got) != want {
			t.Errorf("%q to %q left %q", c.more, c.old, got)
		}
	}
	put(t, dir, "lines.md", "{}\n")
	if _, err := v.Write(t.Context(), vault.WriteArgs{Path: "lines.md", Content: "{}\n", Mode: vault.ModeAppend}); err != nil {
		t.Errorf("not named .json: %v", err)
	}
	put(t, dir, "b.json", "[\n 1\n]\n")
	_, err := v.Write(t.Context(), vault.WriteArgs{Path: "b.json", Content: "2", Mode: vault.ModeAppend})
	if err == nil || !strings.Contains(err.Error(), "ends on line 3") {
		t.Errorf("where it ends is not said: %v", err)
	}
}

// What a write makes of a file that is hardly meant is told, and written.
func TestWritesWarn(t *testing.T) {
	v, dir := newVault(t)
	put(t, dir, "open.md", "- one")
	put(t, dir, "ended.md", "- one\n")
	put(t, dir, "open.json", "[1")
	put(t, dir, "empty.md", "")
	put(t, dir, "copied.md", "---\nsource_refs:\n  - {\"manual_id\": \"m\", \"path\": \"a.md\", \"lines\": \"1-2\"}\n---\ntext\n")
	put(t, dir, "Drafts/Plan.md", "x")
	_, err := os.Stat(filepath.Join(dir, "drafts", "plan.md"))
	one := err == nil
	of := filepath.Base(dir)
	overwrite := func(path, content string) (*vault.Written, error) {
		return v.Write(t.Context(), vault.WriteArgs{Path: rootfs.Path(path), Content: content, Mode: vault.ModeOverwrite})
	}
	create := func(path, content string) (*vault.Written, error) {
		return v.Create(t.Context(), vault.CreateArgs{Path: rootfs.Path(path), Content: content})
	}
	grow := func(path, content string) (*vault.Written, error) {
		return v.Write(t.Context(), vault.WriteArgs{Path: rootfs.Path(path), Content: content, Mode: vault.ModeAppend})
	}
	for _, c := range []struct {
		write               func(path, content string) (*vault.Written, error)
		path, content, want string
	}{
		{grow, "open.md", "- two", "joined"}, {grow, "open.md", "\n- three", ""}, {grow, "ended.md", "- two", ""}, {grow, "empty.md", "- one", ""},
		{grow, "open.json", ",2]", ""}, {create, "a.json", "{", "not_json"}, {create, "b.json", "\ufeff{}\n", ""}, {create, "a.md", "{", ""},
		{create, of + "/notes/a.md", "x", "nested: paths count from the vault's folder, so that a folder was made in it for " + of + "/notes/a.md; was notes/a.md meant?"},
		{overwrite, "copied.md", strings.Replace(get(t, dir, "copied.md"), "text", "more", 1), ""}, {overwrite, "copied.md", "text\n", "unsourced"},
		{overwrite, "copied.md", "more\n", ""},
		{create, "drafts/new.md", "x", "case: Drafts, which"}, {create, "Drafts/plan.md", "x", "case: drafts"}, {create, "Open.md", "x", "case: open.md, which"},
		{create, "notes/Drafts/a.md", "x", ""},
		{create, of + "/notes/b.md", "x", ""}, {create, "notes/" + of + "/a.md", "x", ""},
	} {
		if one && strings.HasPrefix(c.want, "case") {
			continue
		}
		w, err := c.write(c.path, c.content)
		if err != nil || len(w.Warnings) > 1 || (c.want != "") != (len(w.Warnings) == 1) || c.want != "" && !strings.HasPrefix(w.Warnings[0], c.want) {
			t.Errorf("%q to %s: %+v, %v; want %q", c.content, c.path, w, err, c.want)
		}
	}
	r, err := v.Replace(t.Context(), vault.ReplaceArgs{Path: "b.json", Find: "}", Replace: "", MaxReplacements: 1})
	if err != nil || len(r.Warnings) != 1 || !strings.HasPrefix(r.Warnings[0], "not_json") {
		t.Errorf("%+v, %v", r, err)
	}
}

// A text that only its line ends keep from being found is told with them; of several lines the first is looked up.
func TestReplaceNamesLineEnds(t *testing.T) {
	v, dir := newVault(t)
	put(t, dir, "crlf.md", "one\r\ntwo\r\n")
	put(t, dir, "lf.md", "one\ntwo\n")
	for _, c := range []struct{ path, find, says, key, want string }{
		{"crlf.md", "one\ntwo", `end with "\r\n"`, "find", "one\r\ntwo"}, {"lf.md", "one\r\ntwo", `end with "\n"`, "find", "one\ntwo"},
		{"lf.md", "\none\nthree", "mode loose", "query", "one"},
	} {
		_, err := v.Replace(t.Context(), vault.ReplaceArgs{Path: rootfs.Path(c.path), Find: c.find, Replace: "x", MaxReplacements: 1})
		example, _ := toolset.AsError(err).Details["example"].(map[string]any)
		if code(err) != toolset.NotFound || !strings.Contains(err.Error(), c.says) || example[c.key] != c.want {
			t.Errorf("%q in %s: %v, %v", c.find, c.path, err, example)
		}
	}
}
