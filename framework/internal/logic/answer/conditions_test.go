package answer_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/sagasu-search/sagasu/framework/internal/logic/evidence"
)

// told returns what an answer says about the function f of a file.
func told(t *testing.T, name, src string) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.MkdirAll(filepath.Join(dir, "backend"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "backend", name), []byte(src), 0o644); err != nil {
		t.Fatal(err)
	}
	var e evidence.Evidence
	for i, line := range strings.Split(src, "\n") {
		if strings.Contains(line, "f(") {
			at := evidence.Line(i + 1)
			e = evidence.Evidence{ID: "1", Kind: evidence.Code, Path: "backend/" + name, Line: &at, Excerpt: line, Relevance: 1, SourcePriority: 1}
			break
		}
	}
	a, err := asker(t, dir).Ask(t.Context(), "What happens to long rows?", []evidence.Evidence{e})
	if err != nil {
		t.Fatal(err)
	}
	return a.Answer
}

// A comment is not an action: a condition leads to the first statement after it.
func TestCommentsAreNoActions(t *testing.T) {
	tests := []struct{ name, file, src, want string }{
		{"Go", "a.go", "package a\n\nfunc f(row string) {\n\tif len(row) > 400 {\n\t\t// Long rows are cut,\n\n\t\t// not refused.\n\t\tcut(row)\n\t}\n}\n",
			"`f` tests `len(row) > 400`, then `cut(row)`."},
		{"Go, broken syntax", "a.go", "package a\n\nfunc f(row string) {\n\tif len(row) > 400 {\n\t\t/* Long rows\n\t\tare cut. */\n\t\tcut(row)\n\t}\n}\nfunc (\n",
			"`f` tests `len(row) > 400`, then `cut(row)`."},
		{"behind code", "a.go", "package a\n\nfunc f(row string) {\n\tif len(row) > 400 { // long\n\t\tcut(row) // not refused\n\t}\n}\n",
			"`f` tests `len(row) > 400`, then `cut(row)`."},
		{"nothing but a comment", "a.go", "package a\n\nfunc f(row string) {\n\tif len(row) > 400 {\n\t\t// Long rows are kept.\n\t}\n\tkeep(row)\n}\n",
			"`f` branches on `len(row) > 400`."},
		{"signs in a string", "a.go", "package a\n\nfunc f(row string) {\n\tif len(row) > 400 {\n\t\tcut(row, \"// here\")\n\t}\n}\n",
			"`f` tests `len(row) > 400`, then `cut(row, \"// here\")`."},
		{"TypeScript", "a.ts", "function f(row: string) {\n  if (row.length > 400) {\n    /* Long rows\n     * are cut. */\n    cut(row);\n  }\n}\n",
			"`f` tests `row.length > 400`, then `cut(row)`."},
		{"C#, bracket on its own line", "A.cs", "class A {\n  void f(string row)\n  {\n    if (row.Length > 400)\n    {\n      // Long rows are cut.\n      Cut(row);\n    }\n  }\n}\n",
			"`A.f` tests `row.Length > 400`, then `Cut(row)`."},
		{"Java", "A.java", "class A {\n  void f(String row) {\n    if (row.length() > 400) {\n      /** Long. */\n      cut(row);\n    }\n  }\n}\n",
			"`A.f` tests `row.length() > 400`, then `cut(row)`."},
		{"Python", "a.py", "def f(row):\n    \"\"\"Cuts long rows.\n\n    if len(row) > 400 nothing fails.\n    \"\"\"\n    if len(row) > 400:\n        # Long rows are cut.\n        cut(row)\n",
			"`f` tests `len(row) > 400`, then `cut(row)`."},
		{"Ruby", "a.rb", "def f(row)\n  if row.size > 400\n    # Long rows are cut.\n    cut(row)\n  end\nend\n",
			"`f` tests `row.size > 400`, then `cut(row)`."},
		{"Ruby, block comment", "a.rb", "def f(row)\n  if row.size > 400\n=begin\nLong rows are cut.\n=end\n    cut(row)\n  end\nend\n",
			"`f` tests `row.size > 400`, then `cut(row)`."},
		{"PHP", "a.php", "<?php\nfunction f($row) {\n  if (strlen($row) > 400) {\n    # Long rows are cut.\n    cut($row);\n  }\n}\n",
			"`f` tests `strlen($row) > 400`, then `cut($row)`."},
		{"Rust", "a.rs", "fn f(row: &str) {\n    if row.len() > 400 {\n        // Long rows are cut.\n        cut(row);\n    }\n}\n",
			"`f` tests `row.len() > 400`, then `cut(row)`."},
		{"SQL", "a.sql", "CREATE FUNCTION f(row text) RETURNS void AS $$\nBEGIN\n  IF length(row) > 400 THEN\n    -- Long rows are cut.\n    PERFORM cut(row);\n  END IF;\nEND\n$$ LANGUAGE plpgsql;\n",
			"`f` tests `length(row) > 400`, then `PERFORM cut(row)`."},
		{"on one line", "a.ts", "function f(row: string) {\n  if (row.length > 400) cut(row);\n  keep(row);\n}\n",
			"`f` tests `row.length > 400`, then `cut(row)`."},
		{"a block on one line", "a.ts", "function f(row: string) {\n  if (row.length > 400) { cut(row); }\n  keep(row);\n}\n",
			"`f` tests `row.length > 400`, then `cut(row)`."},
		{"Python on one line", "a.py", "def f(row):\n    if len(row) > 400: cut(row)\n    keep(row)\n",
			"`f` tests `len(row) > 400`, then `cut(row)`."},
		{"a condition of two lines", "a.ts", "function f(row: string) {\n  if (row.length > 400 &&\n      row.kind === kind) {\n    cut(row);\n  }\n}\n",
			"`f` tests `row.length > 400 && row.kind === kind`, then `cut(row)`."},
		{"Ruby behind the statement", "a.rb", "def f(row)\n  cut(row) if row.size > 400\n  keep(row)\nend\n",
			"`f` branches on `row.size > 400`."},
		{"Ruby with a short name", "a.rb", "def f(n)\n  return cut(n) if n\n  keep(n)\nend\n",
			"`f` branches on `n`."},
		{"both ways on one line", "a.ts", "function f(row: string) {\n  if (row.length > 400) { cut(row) } else { keep(row) }\n  log(row);\n}\n",
			"`f` tests `row.length > 400`, then `cut(row)`."},
		{"Ruby on one line", "a.rb", "def f(row)\n  if row.size > 400 then cut(row) end\n  keep(row)\nend\n",
			"`f` tests `row.size > 400`, then `cut(row)`."},
		{"Ruby in a block", "a.rb", "def f(rows)\n  rows.each { |row| if row then cut(row) end }\nend\n",
			"`f` tests `row`, then `cut(row)`."},
		{"Ruby both ways", "a.rb", "def f(row)\n  x = if row.size > 400 then cut(row) else row end\n  keep(x)\nend\n",
			"`f` tests `row.size > 400`, then `cut(row)`."},
		{"a case with brackets", "a.ts", "function f(row: Row) {\n  switch (row.kind) {\n    case 'long': {\n      cut(row);\n      break;\n    }\n  }\n}\n",
			"`f` tests `row.kind` is `'long'`, then `cut(row)`."},
		{"Rust arm", "a.rs", "fn f(row: u8) -> u8 {\n    match row {\n        n if n > 40 => cut(n),\n        n => n,\n    }\n}\n",
			"`f` tests `n > 40`, then `cut(n)`."},
		{"SQL case", "a.sql", "CREATE FUNCTION f(row int) RETURNS text AS $$\n  SELECT CASE WHEN row > 400 THEN 'long' ELSE 'short' END FROM t;\n$$ LANGUAGE sql;\n",
			"`f` tests `row > 400`, then `'long'`."},
		{"SQL filter", "a.sql", "CREATE FUNCTION f(row text) RETURNS void AS $$\nBEGIN\n  DELETE FROM rows WHERE length > 400\n    RETURNING id;\nEND\n$$ LANGUAGE plpgsql;\n",
			"`f` branches on `length > 400`."},
		{"two statements", "a.py", "def f(row):\n    if len(row) > 400:\n        warn(row)\n        # Long rows are left out.\n        return None\n    keep(row)\n",
			"`f` tests `len(row) > 400`, then `warn(row)`, `return None`."},
		{"a statement and a block", "a.ts", "function f(row: string) {\n  if (row.length > 400) {\n    cut(row);\n    for (const part of row) {\n      log(part);\n    }\n  }\n}\n",
			"`f` tests `row.length > 400`, then `cut(row)`."},
		{"no branch", "a.py", "def f(row):\n    # Long rows are cut.\n    cut(row)  # by bytes\n", "`f` does `cut(row)`."},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, told(t, tt.file, tt.src)); diff != "" {
				t.Errorf("-want +got\n%s", diff)
			}
		})
	}
}
