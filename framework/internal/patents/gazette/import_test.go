package gazette

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"github.com/sagasu-search/sagasu/framework/internal/patents/publication"
)

func TestUSPTO(t *testing.T) {
	out := filepath.Join(t.TempDir(), "us.jsonl")
	report, err := Run(t.Context(), Options{Inputs: []string{filepath.Join("testdata", "applications.xml")}, Output: out, Format: Auto})
	if err != nil {
		t.Fatal(err)
	}
	want := []*publication.Publication{
		{
			PubID: "US20240000011A1", AppID: "US17900011", Country: "US", Title: "Cup with a self-heating base",
			Abst: "A cup keeps tea at 60°C by CO2 free heat.", Desc: "BACKGROUND\nTea gets cold.\n[table]\ntea 60\n[formula]\nSee FIG. 1.",
			Claim: "1. A cup comprising:\na base; and\na heater in the base.\n2. The cup of claim 1, wherein the base is clay.",
			IPC:   []string{"A47G19/22"}, CPC: []string{"A47G19/2288", "H05B1/02"},
			PublicationDate: publication.Date{Year: 2024, Month: 1, Day: 4}, FilingDate: publication.Date{Year: 2022, Month: 8, Day: 31},
			Applicants: []string{"Lakeside Mugs & Co."}, Inventors: []string{"Ada Wells"}, Citations: []string{"US1A"},
		},
		{
			PubID: "US11900013B2", AppID: "US16900013", ExamID: "US11900013B2", Country: "US", Title: "Kite reel",
			Abst: "A reel brakes its line in gusts.", Claim: "1. A reel with a brake.",
			PublicationDate: publication.Date{Year: 2024, Month: 2, Day: 13}, FilingDate: publication.Date{Year: 2020, Month: 6, Day: 12},
			Applicants: []string{"Gale Works"}, Inventors: []string{"Jan Roe"},
		},
		{PubID: "US20240000014A1", Country: "US", Title: "Lamp"},
	}
	if diff := cmp.Diff(want, publications(t, out), cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	reasons := []string{"21 <sequence-cwu> is no publication of the US", "24 not well-formed XML"}
	for i, r := range report.Refused {
		if got := fmt.Sprint(r.Line, " ", r.Reason); i >= len(reasons) || !strings.HasPrefix(got, reasons[i]) {
			t.Errorf("refused %s", got)
		}
	}
	if len(report.Refused) != len(reasons) || report.Imported != 3 || report.Resumed {
		t.Errorf("%+v", report)
	}
	folder, err := os.OpenRoot(filepath.Dir(out))
	if err != nil {
		t.Fatal(err)
	}
	defer folder.Close()
	kept, n, err := ReadRefused(folder, filepath.Base(out), 9)
	if diff := cmp.Diff(report.Refused, kept); err != nil || diff != "" || n != len(reasons) {
		t.Errorf("beside the output, %d: %v\n%s", n, err, diff)
	}
	if first, n, err := ReadRefused(folder, filepath.Base(out), 1); len(first) != 1 || n != len(reasons) || err != nil {
		t.Errorf("the first of %d: %+v, %v", n, first, err)
	}
}

func TestAnImportNamesFilesWithoutRecords(t *testing.T) {
	dir := t.TempDir()
	write := func(name, content string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	empty, list := write("empty.jsonl", ""), write("list.json", "[]")
	inputs := []string{empty, write("one.jsonl", `{"pub_id":"US1A1","title":"Rake"}`+"\n"), list, write("bad.jsonl", "{}\n")}
	report, err := Run(t.Context(), Options{Inputs: inputs, Output: filepath.Join(dir, "out", "all.jsonl"), Format: Auto})
	if diff := cmp.Diff([]string{empty, list}, report.Empty); diff != "" || err != nil || report.Imported != 1 {
		t.Errorf("%d imported, %v\n%s", report.Imported, err, diff)
	}
}

func TestAnImportWithoutRefusalsLeavesNoList(t *testing.T) {
	dir := t.TempDir()
	in, out := filepath.Join(dir, "in.jsonl"), filepath.Join(dir, "out.jsonl")
	folder, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer folder.Close()
	for _, step := range []struct {
		records string
		refused int
	}{{"{}\n" + `{"pub_id": "X1", "abst": "a"}`, 1}, {`{"pub_id": "X1", "abst": "a"}`, 0}} {
		if err := os.WriteFile(in, []byte(step.records), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := Run(t.Context(), Options{Inputs: []string{in}, Output: out, Format: Auto, Force: true}); err != nil {
			t.Fatal(err)
		}
		if _, n, err := ReadRefused(folder, "out.jsonl", 9); n != step.refused || err != nil {
			t.Errorf("%d on the list of %q, %v", n, step.records, err)
		}
	}
	if err := os.WriteFile(out+RefusedExt, []byte("not a list\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if first, _, err := ReadRefused(folder, "out.jsonl", 9); err == nil {
		t.Errorf("read %+v", first)
	}
}

// The error of a file that cannot be opened beside the output is told alone.
func TestAnImportThatCannotBeginSaysWhyAlone(t *testing.T) {
	for _, ext := range []string{partExt, refusedExt} {
		dir := t.TempDir()
		in, out := filepath.Join(dir, "in"), filepath.Join(dir, "out.jsonl")
		if err := errors.Join(os.WriteFile(in, nil, 0o600), os.Mkdir(out+ext, 0o700)); err != nil {
			t.Fatal(err)
		}
		_, err := Run(t.Context(), Options{Inputs: []string{in}, Output: out, Format: JSONL})
		if err == nil || !strings.Contains(err.Error(), "out.jsonl"+ext) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v", ext, err)
		}
	}
}

// A second import of an output that is being written touches nothing of the first.
func TestTwoImportsAtOnce(t *testing.T) {
	dir := t.TempDir()
	in, out := filepath.Join(dir, "in"), filepath.Join(dir, "out.jsonl")
	var text strings.Builder
	for i := range 3 * saveEvery {
		fmt.Fprintf(&text, `{"pub_id":"US%dA1","title":"Rake"}`+"\n", i+1)
	}
	if err := os.WriteFile(in, []byte(text.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	opts := Options{Inputs: []string{in}, Output: out, Format: JSONL}
	first := opts
	first.Progress = func(string, int64, int64) {
		for _, opts.Force = range []bool{false, true} {
			if _, err := Run(t.Context(), opts); err == nil || !strings.Contains(err.Error(), "another import to "+out) {
				t.Errorf("with force %t: %v", opts.Force, err)
			}
		}
	}
	report, err := Run(t.Context(), first)
	if n := len(publications(t, out)); err != nil || n != 3*saveEvery || report.Imported != n {
		t.Errorf("%d publications, %+v, %v", n, report, err)
	}
}

func publications(t testing.TB, path string) (all []*publication.Publication) {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	in := publication.NewReader(f)
	in.Refuse = func(r publication.Refused) { t.Errorf("the output holds %+v", r) }
	for {
		p, err := in.Next()
		if errors.Is(err, io.EOF) {
			return all
		} else if err != nil {
			t.Fatal(err)
		}
		all = append(all, p)
	}
}

// grant is a document of the US office on one line.
func grant(number int) string {
	return fmt.Sprintf(`<?xml version="1.0"?><us-patent-grant><us-bibliographic-data-grant><publication-reference>`+
		`<document-id><country>US</country><doc-number>%08d</doc-number><kind>B2</kind></document-id>`+
		`</publication-reference><invention-title>Spade</invention-title></us-bibliographic-data-grant>`+
		`</us-patent-grant>`, number)
}

func TestFormats(t *testing.T) {
	for _, c := range []struct {
		name, text string
		format     Format
		ids        []string
		refused    []int // lines
	}{
		{"lines", `{"pub_id":"A1","title":"a"}` + "\n\n" + `{"pub_id":"A2",` + "\n" + `{"pub_id":"A1","title":"again"}` + "\n" + `{"pub_id":"A3","title":"c"}`, Auto, []string{"A1", "A3"}, []int{3, 4}},
		{"list", "[\n {\"pub_id\":\"A1\",\n  \"title\":\"a\"},\n {\"pub_id\":\"A2\"},\n {\"publication_number\":\"A3\",\"abstract\":\"c\"}\n]", Auto, []string{"A1", "A3"}, []int{4}},
		{"broken list", "[{\"pub_id\":\"A1\",\"title\":\"a\"},\n{\"pub_id\" 1}]", Auto, []string{"A1"}, []int{2}},
		{"objects", "{\n\"pub_id\":\"A1\",\"title\":\"a\"}\n\n{\n\"pub_id\":\"A2\",\"title\":\"b\"\n}", Auto, []string{"A1", "A2"}, nil},
		{"objects of no record", "{\n\"pub_id\":\"A1\"}\n\n  {\"pub_id\":\"A2\"}", JSON, nil, []int{1, 4}},
		{"empty", "", Auto, nil, nil},
		{"empty list", " [ ] ", Auto, nil, nil},
		{"one line, named", `[{"pub_id":"A1","title":"a"}]`, JSON, []string{"A1"}, nil},
		{"documents on one line", grant(1) + grant(2) + " " + grant(3) + "\n" + grant(4), Auto, []string{"US1B2", "US2B2", "US3B2", "US4B2"}, nil},
		{"a line of two documents behind a cut one", grant(1)[:200] + "\n" + grant(2) + grant(3), Auto, []string{"US2B2", "US3B2"}, []int{1}},
		{"documents without declarations", strings.ReplaceAll(grant(1)+"\n"+grant(2), grant(0)[:21], ""), Auto, nil, []int{1}},
		{"text before the first document", "hello\n<?xml version=\"1.0\"?><a/>", XML, nil, []int{1, 2}},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			in, out := filepath.Join(dir, "in"), filepath.Join(dir, "out.jsonl")
			if err := os.WriteFile(in, []byte(c.text), 0o600); err != nil {
				t.Fatal(err)
			}
			report, err := Run(t.Context(), Options{Inputs: []string{in}, Output: out, Format: c.format})
			if err != nil {
				t.Fatal(err)
			}
			var ids []string
			for _, p := range publications(t, out) {
				ids = append(ids, p.PubID)
			}
			var lines []int
			for _, r := range report.Refused {
				lines = append(lines, r.Line)
			}
			if diff := cmp.Diff(c.ids, ids) + cmp.Diff(c.refused, lines); diff != "" {
				t.Errorf("%s\n%+v", diff, report.Refused)
			}
		})
	}
}

// interrupted returns a run that is ended when it tells of its progress the nth time.
func interrupted(t *rapid.T, opts Options, after int) (Report, error) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	seen := 0
	opts.Progress = func(string, int64, int64) {
		if seen++; seen == after {
			cancel()
		}
	}
	return Run(ctx, opts)
}

// However often an import is ended, and whatever of it was written, the output is that of
// one run.
func TestResume(t *testing.T) {
	dir := t.TempDir()
	var inputs []string
	var want bytes.Buffer
	seen := map[string]int{}
	for file := range 2 {
		var text bytes.Buffer
		for i := range 3 * saveEvery / 2 {
			id := fmt.Sprintf("JP20%02d-%06dA", 10+file, i%130) // some come twice
			if i%37 == 0 {
				fmt.Fprintln(&text, "{")
				continue
			}
			line := fmt.Sprintf(`{"pub_id":"%s","title":"甲%d","abst":"","claim":"","desc":"","country":"JP"}`, id, i)
			fmt.Fprintln(&text, line)
			if seen[id] == 0 {
				fmt.Fprintln(&want, line)
			}
			seen[id]++
		}
		inputs = append(inputs, filepath.Join(dir, fmt.Sprint(file)))
		if err := os.WriteFile(inputs[file], text.Bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	whole := filepath.Join(dir, "whole.jsonl")
	once, err := Run(t.Context(), Options{Inputs: inputs, Output: whole, Format: JSONL})
	if err != nil || once.Imported != bytes.Count(want.Bytes(), []byte("\n")) {
		t.Fatal(once.Imported, err)
	}
	runs := 0
	rapid.Check(t, func(t *rapid.T) {
		runs++
		out := filepath.Join(dir, fmt.Sprint("out", runs, ".jsonl"))
		opts := Options{Inputs: inputs, Output: out, Format: JSONL}
		var report Report
		for err := errors.New("not begun"); err != nil; {
			report, err = interrupted(t, opts, rapid.IntRange(1, 3).Draw(t, "ended after"))
			if err == nil {
				break
			}
			if _, there := os.Stat(out); there == nil {
				t.Fatal("a part passes for the whole")
			}
			if junk := rapid.SampledFrom([]string{"", `{"pub_id":"torn`, "x\n"}).Draw(t, "junk"); junk != "" {
				appendTo(t, out+partExt, junk)
			}
			if !errors.Is(err, context.Canceled) {
				t.Fatal(err)
			}
		}
		got, err := os.ReadFile(out)
		if err != nil || !bytes.Equal(got, want.Bytes()) {
			t.Fatalf("%v: %d bytes, want %d", err, len(got), want.Len())
		}
		if diff := cmp.Diff(once.Refused, report.Refused); diff != "" || report.Imported != once.Imported {
			t.Fatalf("%d imported, refused (-once +got):\n%s", report.Imported, diff)
		}
		if left, _ := filepath.Glob(out + ".part*"); len(left) > 0 {
			t.Fatalf("%v are left", left)
		}
		os.Remove(out)
		os.Remove(out + RefusedExt)
	})
}

func appendTo(t *rapid.T, path, text string) {
	f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	if err == nil {
		_, err = f.WriteString(text)
		err = errors.Join(err, f.Close())
	}
	if err != nil {
		t.Fatal(err)
	}
}

func TestRefusals(t *testing.T) {
	dir := t.TempDir()
	in := filepath.Join(dir, "in.jsonl")
	out := filepath.Join(dir, "out.jsonl")
	write := func(path, text string) {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write(in, `{"pub_id":"A1","title":"a"}`)
	write(filepath.Join(dir, "pdf"), "%PDF-1.7")
	run := func(opts Options, problem string) {
		t.Helper()
		opts.Output = out
		if _, err := Run(t.Context(), opts); err == nil || !strings.Contains(err.Error(), problem) {
			t.Errorf("%v, want %q", err, problem)
		}
	}
	run(Options{Inputs: []string{filepath.Join(dir, "none")}, Format: Auto}, "none")
	run(Options{Inputs: []string{dir}, Format: Auto}, "not a file")
	run(Options{Inputs: []string{filepath.Join(dir, "pdf")}, Format: Auto}, "neither JSON nor XML")
	run(Options{Inputs: []string{in}, Format: Auto}, "import of other files")
	write(out+stateExt, "{")
	run(Options{Inputs: []string{in}, Format: Auto}, "begins anew")
	if _, err := Run(t.Context(), Options{Inputs: []string{in}, Output: out, Format: Auto, Force: true}); err != nil {
		t.Error(err)
	}
	run(Options{Inputs: []string{in}, Format: Auto}, "is there already")
}

// The list of what is refused is read however long the text is that a stranger's document puts into it.
func TestALongReasonIsListed(t *testing.T) {
	report, err := imported(t, []byte("<us-patent-grant><"+strings.Repeat("a", 100_000)+"></b></us-patent-grant>"))
	if err != nil || len(report.Refused) != 1 || !strings.Contains(report.Refused[0].Reason, "not well-formed XML") {
		t.Errorf("%d refused, %v", len(report.Refused), err)
	}
}

func FuzzSources(f *testing.F) {
	for _, name := range []string{"applications.xml", "jpo.xml", "before2005.xml"} {
		sample, err := os.ReadFile(filepath.Join("testdata", name))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(sample)
	}
	for _, s := range []string{"[{},", "{\n}{", `{"a":1}` + "\n{", "<?xml ?><?xml ?>", "\xef\xbb\xbf[1,2]", "<!ENTITY a \"&a;\">", "<PATDOC>&a.b;<EMI>"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, format := range Formats {
			records, err := open(format, bytes.NewReader(data))
			if err == nil {
				drain(t, records, bytes.Count(data, []byte("\n"))+1)
			}
		}
	})
}

// drain reads all records of a source, whose lines are at most so many.
func drain(t *testing.T, records source, most int) {
	for {
		record, line, err := records.next()
		if errors.Is(err, io.EOF) {
			return
		}
		if line < 1 || line > most {
			t.Fatalf("line %d of %d", line, most)
		}
		if _, costsOne := errors.AsType[errRecord](err); costsOne {
			continue
		}
		if err != nil {
			return
		}
		if p, err := records.decode(record); err == nil && p.PubID == "" {
			t.Fatal("a publication without pub_id")
		}
	}
}

// What an import holds in memory grows by the numbers of publications, not by their texts, nor by what is refused.
func TestMemoryOfAnImport(t *testing.T) {
	held := func(n int) (most uint64) {
		dir := t.TempDir()
		var text bytes.Buffer
		long := strings.Repeat("a widget ", 100)
		for i := range n {
			fmt.Fprintf(&text, `{"pub_id":"US%dA1","title":%q}`+"\n"+`{"pub_id":"X","refused":%q}`+"\n", 20_200_000_000+i, long, long)
		}
		in := filepath.Join(dir, "in.jsonl")
		if err := os.WriteFile(in, text.Bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
		text = bytes.Buffer{}
		seen := 0
		report, err := Run(t.Context(), Options{Inputs: []string{in}, Output: filepath.Join(dir, "out.jsonl"), Format: JSONL, Progress: func(string, int64, int64) {
			if seen++; seen%(n/200) == 0 {
				var m runtime.MemStats
				runtime.GC()
				runtime.ReadMemStats(&m)
				most = max(most, m.HeapAlloc)
			}
		}})
		if err != nil || report.Imported != n || report.Count != n {
			t.Fatalf("%d imported, %d refused, %v", report.Imported, report.Count, err)
		}
		return most
	}
	const few, many = 1000, 10_000
	a, b := held(few), held(many)
	if most := a + (many-few)*150; b > most {
		t.Errorf("%d bytes are held of %d publications, %d of %d: more than their numbers", a, few, b, many)
	}
}
