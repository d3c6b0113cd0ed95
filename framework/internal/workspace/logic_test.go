package workspace

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestLogicIsOnByWhatTheGlobsName(t *testing.T) {
	for _, tt := range []struct {
		name, file string
		globs      string
		on         bool
	}{
		{"code", "backend/a/b.go", "", true},
		{"a specification", "openspec/specs/a/spec.md", "", true},
		{"an open change", "openspec/changes/x/specs/a/spec.md", "", true},
		{"neither", "docs/a.md", "", false},
		{"only a test", "backend/a_test.go", "", false},
		{"only an archive", "openspec/changes/archive/x/specs/a.md", "", false},
		{"code elsewhere", "src/a.go", "lib/**,{src,app}/**", true},
	} {
		b := newBench(t)
		b.write(filepath.Join(b.root, filepath.FromSlash(tt.file)), "x\n")
		if tt.globs != "" {
			b.env["LOGIC_CODE_GLOBS"] = tt.globs
		}
		w := b.mustLoad()
		if on := w.HasLogic(); on != tt.on {
			t.Errorf("%s: logic %v, want %v", tt.name, on, tt.on)
		}
	}
}

func TestLogicSettings(t *testing.T) {
	b := newBench(t)
	b.write(filepath.Join(b.root, "service", "src", "a.go"), "package a\n")
	b.guest("logic_root = \"service\"\nlogic_code_globs = [\"src/**\", \"{lib,app}/**\"]\n")
	b.user("logic_qa = \"off\"\nlogic_answerer = \"chat\"\nlogic_chat_url = \"http://127.0.0.1:1/v1\"\n")
	b.env["LOGIC_CHAT_MODEL"], b.env["LOGIC_CHAT_KEY"] = "tiny", "s3cret"
	w := b.mustLoad()
	if w.LogicRoot != filepath.Join(b.root, "service") || !w.HasLogic() || w.LogicQA != "off" || w.LogicAnswerer != AnswererChat || w.LogicChatKey != "s3cret" {
		t.Errorf("settings %+v", w)
	}
	if diff := cmp.Diff([]string{"src/**", "{lib,app}/**"}, w.LogicGlobs.Code); diff != "" {
		t.Error(diff)
	}
	if all := fmt.Sprint(w.Effective()); strings.Contains(all, "s3cret") {
		t.Error("the key is listed")
	}
}

func TestLogicHintNamesGlobsAndWhatThereIs(t *testing.T) {
	b := newBench(t)
	w := b.mustLoad()
	if hint := w.LogicHint(t.Context()); !strings.Contains(hint, "LOGIC_CODE_GLOBS=backend/**") || !strings.Contains(hint, "no files at all") {
		t.Error(hint)
	}
	b.write(filepath.Join(b.root, "src", "a.go"), "")
	b.write(filepath.Join(b.root, "README"), "")
	if hint := w.LogicHint(t.Context()); !strings.Contains(hint, "there are README, src/:") {
		t.Error(hint)
	}
	b.write(filepath.Join(b.root, "backend", "a_test.go"), "")
	if hint := w.LogicHint(t.Context()); !strings.Contains(hint, "backend/a_test.go (left out: test)") {
		t.Error(hint)
	}
	for n := range 2 * mostNames {
		b.write(filepath.Join(b.root, "backend", fmt.Sprintf("a%d_test.go", n)), "")
	}
	if hint := w.LogicHint(t.Context()); !strings.Contains(hint, "and 13 more") {
		t.Error(hint)
	}
}
