package code_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sagasu-search/sagasu/framework/internal/logic/code"
)

// Comments and doc strings become spaces of the same length; text that only looks like one stays.
func TestUncommented(t *testing.T) {
	for _, tt := range []struct{ file, src, want string }{
		{"a.go", "package a\n\n// F is.\nfunc F() { g(\"// no\") /* é */ }\n", "package a\n\n        \nfunc F() { g(\"// no\")          }\n"},
		{"a.py", "def f():\n    \"\"\"Tells\n    all.\"\"\"\n    g('# no')  # yes\n", "def f():\n            \n           \n    g('# no')       \n"},
		{"a.sql", "SELECT '-- no' -- yes\r\nFROM t;\n", "SELECT '-- no'       \r\nFROM t;\n"},
		{"a.txt", "// stays\n", "// stays\n"},
	} {
		got := string(code.Cut(tt.file, []byte(tt.src)).Uncommented([]byte(tt.src)))
		if diff := cmp.Diff(tt.want, got); diff != "" || len(got) != len(tt.src) || strings.Count(got, "\n") != strings.Count(tt.src, "\n") {
			t.Errorf("%s: -want +got\n%s", tt.file, diff)
		}
	}
}

// A character of several bytes is not a lifetime.
func TestRustCharacters(t *testing.T) {
	f := code.Cut("a.rs", []byte("fn f<'a>(s: &'a str) { g('…', 'x', '\\'', 'é'); }\nfn h() {}\n"))
	if f.Broken || len(f.Units) != 2 {
		t.Errorf("broken %t, %d units", f.Broken, len(f.Units))
	}
}
