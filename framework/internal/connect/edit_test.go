package connect

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

var (
	plainJSON = jsonFormat{}
	commented = jsonFormat{comments: true}
	sample    = Entry{"/opt/sagasu", []string{"mcp", "--workspace", "/docs"}}
)

// entryLines returns the sample as JSON, with eol and indent before each line except the first.
func entryLines(eol, indent, unit string) string {
	lines := []string{`"sagasu": {`, unit + `"command": "/opt/sagasu",`, unit + `"args": [`, unit + unit + `"mcp",`,
		unit + unit + `"--workspace",`, unit + unit + `"/docs"`, unit + `]`, `}`}
	return strings.Join(lines, eol+indent)
}

const flatEntry = `"sagasu": {"command": "/opt/sagasu", "args": ["mcp", "--workspace", "/docs"]}`

const tomlEntry = "[mcp_servers.sagasu]\ncommand = \"/opt/sagasu\"\nargs = [\"mcp\", \"--workspace\", \"/docs\"]\n"

var merges = map[string]struct {
	format        format
	servers       string
	before, after string
}{
	"blank": {plainJSON, "mcpServers", "",
		"{\n  \"mcpServers\": {\n    " + entryLines("\n", "    ", "  ") + "\n  }\n}\n"},
	"empty object": {plainJSON, "mcpServers", "{}\n",
		"{\n  \"mcpServers\": {\n    " + entryLines("\n", "    ", "  ") + "\n  }\n}\n"},
	"empty table on one line": {plainJSON, "mcpServers", `{"mcpServers": {}}`, `{"mcpServers": {` + flatEntry + "}}"},
	"no servers": {plainJSON, "mcpServers", "{\n  \"numStartups\": 4,\n  \"userID\": \"x\"\n}",
		"{\n  \"numStartups\": 4,\n  \"userID\": \"x\",\n  \"mcpServers\": {\n    " + entryLines("\n", "    ", "  ") +
			"\n  }\n}"},
	"another server, tabs": {plainJSON, "mcpServers",
		"{\n\t\"mcpServers\": {\n\t\t\"db\": {\n\t\t\t\"command\": \"db-mcp\"\n\t\t}\n\t},\n\t\"theme\": \"dark\"\n}\n",
		"{\n\t\"mcpServers\": {\n\t\t\"db\": {\n\t\t\t\"command\": \"db-mcp\"\n\t\t},\n\t\t" +
			entryLines("\n", "\t\t", "\t") + "\n\t},\n\t\"theme\": \"dark\"\n}\n"},
	"CRLF, four spaces, empty table": {plainJSON, "mcpServers", "{\r\n    \"mcpServers\": {}\r\n}\r\n",
		"{\r\n    \"mcpServers\": {\r\n        " + entryLines("\r\n", "        ", "    ") + "\r\n    }\r\n}\r\n"},
	"comments and a trailing comma": {commented, "context_servers",
		"// Settings\n{\n  \"context_servers\": {\n    // mine\n    \"db\": {\"command\": \"db\"}, // last\n" +
			"  }, /* end */\n}\n// eof",
		"// Settings\n{\n  \"context_servers\": {\n    // mine\n    \"db\": {\"command\": \"db\"}, // last\n    " +
			entryLines("\n", "    ", "  ") + ",\n  }, /* end */\n}\n// eof"},
	"a comment behind the last value": {commented, "servers",
		"{\n  \"servers\": {\n    \"db\": {} /* a\n b */ // last\n    // after\n  }\n}",
		"{\n  \"servers\": {\n    \"db\": {}, /* a\n b */ // last\n    " + entryLines("\n", "    ", "  ") +
			"\n    // after\n  }\n}"},
	"a comment alone in the table": {commented, "servers", "{\n  \"servers\": { // none\n  }\n}",
		"{\n  \"servers\": {\n    " + entryLines("\n", "    ", "  ") + " // none\n  }\n}"},
	"on one line": {plainJSON, "mcpServers", `{"a": [1, {"mcpServers": {}}], "mcpServers": {"x": {}}}`,
		`{"a": [1, {"mcpServers": {}}], "mcpServers": {"x": {}, ` + flatEntry + `}}`},
	"an entry that differs": {plainJSON, "mcpServers",
		"{\n  \"mcpServers\": {\n    \"sagasu\": {\"command\": \"old\", \"env\": {\"A\": \"1\"}},\n    \"z\": {}\n  }\n}",
		"{\n  \"mcpServers\": {\n    " + entryLines("\n", "    ", "  ") + ",\n    \"z\": {}\n  }\n}"},
	"an escaped name": {plainJSON, "mcpServers", `{"mcp\u0053ervers": {"sag\u0061su": 1}}`,
		`{"mcp\u0053ervers": {"sag\u0061su": ` + strings.TrimPrefix(flatEntry, `"sagasu": `) + `}}`},
	"TOML, blank":      {tomlFormat{}, "mcp_servers", "", tomlEntry},
	"TOML, at the end": {tomlFormat{}, "mcp_servers", "model = \"x\" # fast", "model = \"x\" # fast\n\n" + tomlEntry},
	"TOML, CRLF": {tomlFormat{}, "mcp_servers", "[tui]\r\ntheme = 'a'\r\n",
		"[tui]\r\ntheme = 'a'\r\n\r\n" + strings.ReplaceAll(tomlEntry, "\n", "\r\n")},
	"TOML, a table that differs": {tomlFormat{}, "mcp_servers",
		"[mcp_servers.db]\ncommand = \"db\"\n\n[ mcp_servers . \"sagasu\" ] # mine\ncommand = \"old\"\nargs = [\n" +
			"  \"a\", # b\n]\n\n# of the next\n[mcp_servers.sagasu.env]\nA = '1'\n",
		"[mcp_servers.db]\ncommand = \"db\"\n\n" + tomlEntry + "\n# of the next\n[mcp_servers.sagasu.env]\nA = '1'\n"},
	"TOML, without the last line feed": {tomlFormat{}, "mcp_servers", "[mcp_servers.sagasu]\nurl = 'x'",
		strings.TrimSuffix(tomlEntry, "\n")},
}

func TestMerge(t *testing.T) {
	for name, test := range merges {
		s, err := merge(test.format, test.before, test.servers, sample.members(false))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		got := s.apply(test.before)
		if diff := cmp.Diff(test.after, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
		if again, err := merge(test.format, got, test.servers, sample.members(false)); err != nil || again != (splice{}) {
			t.Errorf("%s: the same entry again is %+v, %v", name, again, err)
		}
		if back := s.inverse().apply(got); back != test.before {
			t.Errorf("%s: back is %q", name, back)
		}
	}
}

func TestMergeRefuses(t *testing.T) {
	for text, want := range map[string]struct {
		format format
		err    string
	}{
		"{\n  \"a\": 1,\n}":                     {plainJSON, `line 3, column 1: `},
		"{\n  // x\n}":                          {plainJSON, `line 2, column 3: `},
		`{"a": 1} {"b": 2}`:                     {plainJSON, `line 1, column `},
		"{\n  \"a\" 1\n}":                       {commented, "line 2, column 7: invalid character '1' after object name"},
		"[]":                                    {commented, "line 1, column 1: the document is no object"},
		"[1]":                                   {plainJSON, "line 1, column 1: the document is no object"},
		"null":                                  {plainJSON, "line 1, column 1: the document is no object"},
		`{"servers": 3}`:                        {plainJSON, "servers is no table of servers"},
		`{"servers": {}, "servers": {}}`:        {plainJSON, `line 1, column 17: "servers" stands here a second time`},
		strings.Repeat("[", 20_000):             {commented, "line 1, column 10001: it is nested too deeply"},
		"a = 1\nb = = 2":                        {tomlFormat{}, "line 2, column 5: "},
		"a = 1\na = 2":                          {tomlFormat{}, "line 2, column 1: "},
		"[servers]\nsagasu = {command = \"x\"}": {tomlFormat{}, errUnsafe.Error()},
		"servers = 3":                           {tomlFormat{}, "servers is no table of servers"},
		"[[servers.sagasu]]\ncommand = \"x\"":   {tomlFormat{}, errUnsafe.Error()},
	} {
		s, err := merge(want.format, text, "servers", sample.members(true))
		if err == nil || !strings.HasPrefix(err.Error(), want.err) {
			t.Errorf("%.40q: %+v, %v; want %s", text, s, err, want.err)
		}
	}
}

// undone merges, lets somebody edit the text, and reverts the merge.
func undone(t *testing.T, f format, text string, meanwhile func(string) string) (string, error) {
	t.Helper()
	s, err := merge(f, text, "servers", sample.members(false))
	if err != nil {
		t.Fatal(err)
	}
	edited := s.apply(text)
	entry := func(text string) string {
		doc, err := f.decode(text)
		if err != nil {
			t.Fatalf("%v in %s", err, text)
		}
		out, err := entryText(doc, "servers")
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	before, after := entry(text), entry(edited)
	changed := meanwhile(edited)
	if changed == edited {
		t.Fatalf("nobody changed %s", edited)
	}
	return revert(f, changed, "servers", s, before, after)
}

func TestRevertKeepsWhatWasWrittenMeanwhile(t *testing.T) {
	replace := func(old, with string) func(string) string {
		return func(text string) string { return strings.Replace(text, old, with, 1) }
	}
	reformat := func(text string) string {
		var doc map[string]any
		if err := json.Unmarshal([]byte(text), &doc); err != nil {
			t.Fatal(err)
		}
		out, err := json.MarshalIndent(doc, "", "\t")
		if err != nil {
			t.Fatal(err)
		}
		return string(out)
	}
	for name, test := range map[string]struct {
		format    format
		text      string
		meanwhile func(string) string
		want      string // "" if the entry stays
	}{
		"in front": {plainJSON, "{\n  \"n\": 1\n}\n", replace(`"n": 1`, `"n": 100`), "{\n  \"n\": 100\n}\n"},
		"behind": {plainJSON, "{\n  \"servers\": {\"a\": {}}\n}\n", replace(`]}}`, `]}, "b": {}}`),
			"{\n  \"servers\": {\"a\": {}, \"b\": {}}\n}\n"},
		"first": {plainJSON, "{\n  \"servers\": {}\n}\n", replace("    }\n  }", "    },\n    \"b\": {}\n  }"),
			"{\n  \"servers\": {\n    \"b\": {}\n  }\n}\n"},
		"reformatted": {plainJSON, "{\n  \"servers\": {\n    \"a\": {}\n  }\n}\n", reformat,
			"{\n\t\"servers\": {\n\t\t\"a\": {}\n\t}\n}"},
		"a comment before it": {commented, "{\n  \"servers\": {\n    \"a\": {}\n  }\n}\n",
			replace(`"sagasu"`, "// search\n    \"sagasu\""),
			"{\n  \"servers\": {\n    \"a\": {}\n    // search\n  }\n}\n"},
		"a comment in it":            {commented, "{\n}\n", replace(`"command"`, "// mine\n \"command\""), ""},
		"a comment at its end":       {commented, "{\n}\n", replace("]", "] // mine"), ""},
		"a comment behind its name":  {commented, "{\n}\n", replace("\"sagasu\": {\n", "\"sagasu\": // mine\n{\n\n"), ""},
		"replaced, then reformatted": {plainJSON, `{"servers": {"sagasu": {"command": "x"}}}`, reformat, ""},
		"another argument":           {plainJSON, "{}", replace(`"/docs"`, `"/other"`), ""},
		"another member":             {plainJSON, "{}", replace(`"command"`, `"env": {"A": "b"}, "command"`), ""},
		"replaced, then changed": {plainJSON, `{"servers": {"sagasu": {"command": "x"}}}`,
			replace(`"args"`, `"cwd": "/", "args"`), ""},
		"TOML, around it": {tomlFormat{}, "a = 1\n", func(text string) string {
			return "# x\n" + text + "\n[tui]\nb = 1\n"
		}, "# x\na = 1\n\n[tui]\nb = 1\n"},
		"TOML, other strings": {tomlFormat{}, "a = 1\n\n# last\n", func(text string) string {
			return strings.ReplaceAll(text, `"`, "'") + "# of b\n[b]\n"
		}, "a = 1\n\n# last\n# of b\n[b]\n"},
		"TOML, a comment": {tomlFormat{}, "", replace(`"/docs"]`, `"/docs"] # mine`), ""},
		"TOML, a comment, other strings": {tomlFormat{}, "", func(text string) string {
			return strings.Replace(strings.ReplaceAll(text, `"`, "'"), "'/docs'", "# mine\n'/docs'", 1)
		}, ""},
		"TOML, a member":         {tomlFormat{}, "", func(text string) string { return text + "cwd = '/'\n" }, ""},
		"TOML, a table below it": {tomlFormat{}, "", func(text string) string { return text + "[servers.sagasu.env]\n" }, ""},
	} {
		got, err := undone(t, test.format, test.text, test.meanwhile)
		if test.want == "" {
			if err != errChanged {
				t.Errorf("%s: %q, %v", name, got, err)
			}
			continue
		}
		if diff := cmp.Diff(test.want, got); err != nil || diff != "" {
			t.Errorf("%s: %v (-want +got):\n%s", name, err, diff)
		}
	}
}

// document draws a text of a format: values, white space, comments, line ends.
func document(t *rapid.T, f format) string {
	eol := rapid.SampledFrom([]string{"\n", "\r\n"}).Draw(t, "eol")
	if f == (tomlFormat{}) {
		lines := rapid.SliceOfN(rapid.SampledFrom([]string{"# note", "", "a = 1", "[tui] # x", "b = \"\"\"", "\"\"\"",
			"[servers.db]", "command = 'db'", "[servers.sagasu]", "[servers.sagasu.env]", "[other]", "[servers]", "c = [",
			"1, # one", "]", "d = {e = 1}"}), 0, 9).Draw(t, "lines")
		return strings.Join(lines, eol) + rapid.SampledFrom([]string{"", eol}).Draw(t, "end")
	}
	space := rapid.SampledFrom([]string{"", " ", eol, eol + "  ", "\t", eol + eol})
	if f == commented {
		space = rapid.SampledFrom([]string{"", " ", eol, eol + "  ", " // note" + eol, "/* a */", "/* a" + eol + " */ "})
	}
	names := rapid.SampledFrom([]string{`"servers"`, `"sagasu"`, `"db"`, `"a\u0062"`, `"x"`})
	var value func(depth int) string
	value = func(depth int) string {
		kind := rapid.IntRange(0, 3).Draw(t, "kind")
		if depth > 3 || kind == 0 && depth > 0 {
			return rapid.SampledFrom([]string{"1", "1.50", "null", `"{// \" "`, "true", `"é"`}).Draw(t, "literal")
		}
		open, end := "{", "}"
		if kind == 1 && depth > 0 {
			open, end = "[", "]"
		}
		n := rapid.IntRange(0, 3).Draw(t, "members")
		for i := range n {
			open += space.Draw(t, "space")
			if end == "}" {
				open += names.Draw(t, "name") + space.Draw(t, "space") + ":" + space.Draw(t, "space")
			}
			open += value(depth+1) + space.Draw(t, "space")
			if i < n-1 || f == commented && rapid.Bool().Draw(t, "comma") {
				open += ","
			}
		}
		return open + space.Draw(t, "space") + end
	}
	return space.Draw(t, "space") + value(0) + space.Draw(t, "space")
}

func TestMergeThenRevertGivesTheSameBytes(t *testing.T) {
	for name, f := range map[string]format{"JSON": plainJSON, "comments": commented, "TOML": tomlFormat{}} {
		merged := 0
		t.Run(name, rapid.MakeCheck(func(t *rapid.T) {
			text := document(t, f)
			if checkEdit(t, f, text) {
				merged++
			}
		}))
		if merged == 0 {
			t.Errorf("%s: no document was edited", name)
		}
	}
}

// checkEdit merges and reverts, and reports whether the text could be edited.
func checkEdit(t rapid.TB, f format, text string) bool {
	doc, err := f.decode(text)
	if err != nil {
		return false
	}
	before, err := entryText(doc, "servers")
	if err != nil {
		return false
	}
	s, err := merge(f, text, "servers", sample.members(true))
	if err != nil || s == (splice{}) {
		return false
	}
	edited := s.apply(text)
	now, err := f.decode(edited)
	if err != nil {
		t.Fatalf("%v in %q", err, edited)
	}
	if diff := cmp.Diff(restOf(doc, "servers"), restOf(now, "servers")); diff != "" {
		t.Fatalf("%q changed:\n%s", text, diff)
	}
	if !holds(entryOf(now, "servers"), table(sample.members(true))) {
		t.Fatalf("%q has no entry", edited)
	}
	after, err := entryText(now, "servers")
	if err != nil {
		t.Fatal(err)
	}
	if back, err := revert(f, edited, "servers", s, before, after); err != nil || back != text {
		t.Fatalf("%q came back as %q: %v", text, back, err)
	}
	if before == "" { // as after somebody else's edit
		back, comments, err := f.unset(edited, "servers")
		if err != nil || comments > 0 {
			t.Fatalf("%q cannot be removed: %d comments, %v", edited, comments, err)
		}
		if _, err := checked(f, edited, "servers", back, func(d map[string]any) bool {
			return entryOf(d, "servers") == nil
		}); err != nil {
			t.Fatalf("%q without the entry is %q: %v", edited, back.apply(edited), err)
		}
	}
	return true
}

func TestRecordOfNoPlace(t *testing.T) {
	text := `{"mcpServers": {"sagasu": {}}, "a": {}}`
	s := splice{-1, "", "{}"}
	if _, err := revert(jsonFormat{}, text, "mcpServers", s, `{"command":"x"}`, "{}"); !errors.Is(err, errChanged) {
		t.Errorf("a damaged record gave %v", err)
	}
}

func FuzzEdit(f *testing.F) {
	for _, test := range merges {
		f.Add(test.before)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, format := range []format{plainJSON, commented, tomlFormat{}} {
			checkEdit(t, format, text)
		}
	})
}
