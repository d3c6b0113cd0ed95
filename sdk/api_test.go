package sdk_test

import (
	"flag"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "add what is new to testdata/api.txt")

// promised are the packages whose exported names stay.
var promised = []string{".", "embed", "lexical", "schema", "sdktest", "serve", "snapshot", "text"}

// withheld are the names of package snapshot that serve those who build and follow snapshots,
// types with all their methods. Its package comment says so.
var withheld = []string{
	"Current", "CurrentFile", "DecodeBitmap", "File", "Fingerprint", "FormatVersion", "LogicSchema", "Manifest",
	"ManualSchema", "NewWriter", "NextName", "PublicationSchema", "Publish", "Remove", "Retire", "Schema",
	"SchemaOf", "SegmentFile", "SegmentInfo", "SetAside", "Store", "StoredField", "Verify", "Writer",
	"Segment.Delete", "Segment.Files", "Segment.Info",
	"Snapshot.Check", "Snapshot.FileOf", "Snapshot.Files", "Snapshot.Manifest", "Snapshot.Outlive",
	"Snapshot.StartsIn", "Snapshot.Successor", "Snapshot.Views",
}

// subject is the name, and before it the type of the method, that a line is about.
var subject = regexp.MustCompile(`^\w+ (?:type|const|var|func) (?:\(\*?(\w+)\) )?(\w+)`)

// kept reports whether a line is promised.
func kept(line string) bool {
	m := subject.FindStringSubmatch(line)
	if !strings.HasPrefix(line, "snapshot ") || m == nil {
		return true
	}
	if m[1] == "" {
		return !slices.Contains(withheld, m[2])
	}
	return !slices.Contains(withheld, m[1]) && !slices.Contains(withheld, m[1]+"."+m[2])
}

// promises lists what is promised, a line each.
func promises(t *testing.T) (out []string) {
	for _, dir := range promised {
		for _, line := range exported(t, dir) {
			if kept(line) {
				out = append(out, line)
			}
		}
	}
	return slices.Concat(out, protocol(), environment(), python(t), schemas(t))
}

// TestPromise keeps the promise of the package comment: what testdata/api.txt holds stays
// as it is. Additions are recorded with -update; a line goes only by hand.
func TestPromise(t *testing.T) {
	now := promises(t)
	golden := filepath.Join("testdata", "api.txt")
	data, err := os.ReadFile(golden)
	if err != nil && !*update {
		t.Fatal(err)
	}
	before := strings.FieldsFunc(string(data), func(r rune) bool { return r == '\n' })
	gone, added := changes(before, now)
	for _, line := range gone {
		t.Errorf("gone or changed, which breaks strategies of others: %s", line)
	}
	if len(added) == 0 {
		return
	}
	if !*update {
		t.Errorf("new, to be promised with -update:\n%s", strings.Join(added, "\n"))
		return
	}
	all := append(before, added...)
	slices.Sort(all)
	if err := os.WriteFile(golden, []byte(strings.Join(all, "\n")+"\n"), 0o666); err != nil {
		t.Fatal(err)
	}
}

// changes parts the lines that only before has from those that only now has.
func changes(before, now []string) (gone, added []string) {
	without := func(lines, others []string) []string {
		return slices.DeleteFunc(slices.Clone(lines), func(line string) bool { return slices.Contains(others, line) })
	}
	return without(before, now), without(now, before)
}

func TestChangesAreSeen(t *testing.T) {
	before := listed(t, "type Strategy interface { Describe() }\nconst Most = 5\nfunc Best(list []int, limit int) []int { return list }\ntype T struct { A int }\nfunc (*T) hidden() {}")
	for after, want := range map[string][2]int{ // gone, added
		"type Strategy interface { Describe() }\nconst Most = 5\nfunc Best(all []int, n int) []int { return all }\ntype T struct { A int; b bool }":        {0, 0},
		"type Strategy interface { Describe() }\nconst Most = 5\nfunc Best(list []int, limit int) []int { return list }\ntype T struct { A, B int }":       {0, 1},
		"type Strategy interface { Describe(); Close() }\nconst Most = 5\nfunc Best(list []int, limit int) []int { return list }\ntype T struct { A int }": {1, 1},
		"type Strategy interface { Describe() }\nconst Most = 6\nfunc Best(list []int) []int { return list }\ntype T struct { A uint }":                    {3, 3},
		"type Strategy interface { Describe() }\nconst Most = 5":                                                                                           {3, 0},
	} {
		gone, added := changes(before, listed(t, after))
		if len(gone) != want[0] || len(added) != want[1] {
			t.Errorf("%s\ngone: %q, added: %q", after, gone, added)
		}
	}
}

// TestChangesOfConstantsAreSeen has constants that are not exported change what is.
func TestChangesOfConstantsAreSeen(t *testing.T) {
	const text = "type T struct { A [most]int }\nfunc F([2 * most]string) {}\nconst (\nFirst = iota * most\nNext\n)\nconst ("
	before := listed(t, text+"most = 5\nlocal = 1)")
	for after, want := range map[string]int{"most = 5\nlocal = 2)": 0, "most = 7 - 2\nlocal = 1)": 0, "most = 6\nlocal = 1)": 3} {
		gone, added := changes(before, listed(t, text+after))
		if len(gone) != want || len(added) != want {
			t.Errorf("%s\ngone: %q, added: %q", after, gone, added)
		}
	}
}

// TestPromisesNameOnlyPromisedTypes looks for promises that name a type which is not promised.
func TestPromisesNameOnlyPromisedTypes(t *testing.T) {
	foreign := regexp.MustCompile(`\b(border|conformance|dict|lsa|patentquery|refer|remote|sample|vector|wire)\.[A-Z]`)
	name := regexp.MustCompile(`^snapshot (func (\(\S+\) )?\w+|type \w+ struct, \w+)`)
	own := regexp.MustCompile(`[^.\w](` + strings.Join(withheld, "|") + `)\b`)
	for _, line := range promises(t) {
		if foreign.MatchString(line) || name.MatchString(line) && own.MatchString(name.ReplaceAllString(line, " ")) {
			t.Errorf("it names a type that is not promised: %s", line)
		}
	}
}

// listed lists the exported names of a source text.
func listed(t *testing.T, text string) (out []string) {
	t.Helper()
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, "x.go", "package x\n"+text, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	evaluate(files, file)
	return fileLines(file)
}
