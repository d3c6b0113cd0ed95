package code_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sagasu-search/sagasu/framework/internal/logic/code"
)

// Failures are places where a program gives up, not names that look like that.
func TestFailuresAreRaised(t *testing.T) {
	tests := []struct {
		name, file, src string
		want            string // names of the failures, "" for none
	}{
		{"Go field", "a.go", "package a\n\ntype ImportFailure struct {\n\tRow int\n\tErr error\n}\n", ""},
		{"Go fields of other names", "a.go", "package a\n\ntype Run struct {\n\tfail bool\n\tabort chan struct{}\n\treject []string\n}\n", ""},
		{"Go parameters", "a.go", "package a\n\nfunc F(fail bool, abort chan int, raise float64) {}\n", ""},
		{"Go literal", "a.go", "package a\n\nfunc F(err error) Failure { return Failure{Row: 1, Err: err} }\n", ""},
		{"Go method of an interface", "a.go", "package a\n\ntype Logger interface {\n\tErrorf(format string, args ...any)\n}\n", ""},
		{"Go variable", "a.go", "package a\n\nfunc F() {\n\tvar Err error\n\t_ = Err\n}\n", ""},
		{"Go call", "a.go", "package a\n\nfunc F() error { return fmt.Errorf(\"too long\") }\n", "fmt.Errorf"},
		{"Go panic", "a.go", "package a\n\nfunc F() { panic(\"no\") }\n", "panic"},
		{"Rust result", "a.rs", "fn f() -> Result<u8, E> { Err(E::Odd) }\n", "E::Odd"},
		{"Rust macro", "a.rs", "fn f() -> Result<u8, E> { bail!(\"odd\") }\n", "bail"},
		{"Rust pattern", "a.rs", "fn f() { match g() { Err(e) => log(e), Ok(_) => {} } }\n", ""},
		{"Rust if let", "a.rs", "fn f() { if let Err(e) = g() { log(e) } }\n", ""},
		{"TypeScript member", "a.ts", "interface Job { reject: string; abort?: boolean }\n", ""},
		{"TypeScript throw", "a.ts", "function f() { throw new TooLong('x') }\n", "TooLong"},
		{"TypeScript call", "a.ts", "function f(res) { res.sendStatus(404) }\n", "res.sendStatus"},
		{"Java parameter", "A.java", "class A { void f(boolean fail) { } int abort; }\n", ""},
		{"Java method of that name", "A.java", "class A { void abort(int n) { stop(n); } }\n", ""},
		{"Java interface", "A.java", "interface A { void abort(int n); }\n", ""},
		{"JavaScript method of that name", "a.js", "class A { fail(x) { this.x = x } }\n", ""},
		{"TypeScript interface", "a.ts", "interface Job { abort(): void; reject(why: string): void }\n", ""},
		{"PHP die", "a.php", "<?php function f() { die; }\n", "die"},
		{"Python raise again", "a.py", "def f():\n    try:\n        g()\n    except E:\n        raise\n", "raise"},
		{"Python raise again before more", "a.py", "def f():\n    try:\n        g()\n    except E:\n        raise\n\n    if status != 'down':\n        h()\n", "raise"},
		{"Python status of a call", "a.py", "def f(r):\n    return HttpResponse(text(r), status=409)\n", "HttpResponse"},
		{"Python status of a member", "a.py", "def f(r):\n    return http.Answer(\n        {'a': [1, 2]}, status=404, x=1)\n", "http.Answer"},
		{"Python status of its own", "a.py", "def f(r):\n    status = 404\n    return status\n", "status"},
		{"Python raise", "a.py", "def f():\n    raise TooLong('x')\n", "TooLong"},
		{"Python name", "a.py", "def f(reject, abort):\n    return reject or abort\n", ""},
		{"Ruby without brackets", "a.rb", "def f\n  raise TooLong, 'x'\nend\n", "TooLong"},
		{"Ruby halt", "a.rb", "def f\n  halt 404\nend\n", "halt"},
		{"SQL raise", "a.sql", "CREATE FUNCTION f() RETURNS trigger AS $$ BEGIN RAISE EXCEPTION 'no'; END $$ LANGUAGE plpgsql;\n", "RAISE"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := []string{}
			for _, u := range code.Cut(tt.file, []byte(tt.src)).Units {
				for _, f := range u.Facts.Failures {
					got = append(got, f.Name)
				}
			}
			if diff := cmp.Diff(tt.want, strings.Join(got, " ")); diff != "" {
				t.Errorf("-want +got\n%s", diff)
			}
		})
	}
}
