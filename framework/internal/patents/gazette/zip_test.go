package gazette

import (
	"archive/zip"
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// archive writes files into a zip archive, each with its content.
func archive(t testing.TB, files ...string) []byte {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for i := 0; i < len(files); i += 2 {
		f, err := w.Create(files[i])
		if err == nil {
			_, err = f.Write([]byte(files[i+1]))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func imported(t *testing.T, data []byte) (Report, error) {
	t.Helper()
	dir := t.TempDir()
	in := filepath.Join(dir, "in.zip")
	if err := os.WriteFile(in, data, 0o600); err != nil {
		t.Fatal(err)
	}
	return Run(t.Context(), Options{Inputs: []string{in}, Output: filepath.Join(dir, "out.jsonl"), Format: Auto})
}

func TestArchives(t *testing.T) {
	jpo, err := os.ReadFile(filepath.Join("testdata", "jpo.xml"))
	if err != nil {
		t.Fatal(err)
	}
	data := archive(t,
		"DOCUMENT/A/", "", "DOCUMENT/A/1.XML", string(jpo), "DOCUMENT/A/1.tif", "II*", "own.jsonl", `{"pub_id":"A1","title":"a"}`+"\n{",
		"none.xml", "%PDF", "list.json", `[{"pub_id":"A2","title":"b"}]`)
	report, err := imported(t, data)
	if err != nil {
		t.Fatal(err)
	}
	var refused []string
	for _, r := range report.Refused {
		_, member, _ := strings.Cut(r.Source, "!")
		refused = append(refused, fmt.Sprint(member, ":", r.Line))
	}
	if diff := cmp.Diff([]string{"own.jsonl:2", "none.xml:1"}, refused); diff != "" || report.Imported != 6 {
		t.Errorf("%d imported, refused (-want +got):\n%s", report.Imported, diff)
	}
	spoilt := bytes.Replace(data, []byte(`PK`+"\x03\x04"), []byte(`PK`+"\x03\x04"), 1)
	at := bytes.Index(spoilt, []byte("own.jsonl")) + len("own.jsonl") + 8
	spoilt[at] ^= 0xff
	if report, err = imported(t, spoilt); err != nil || report.Imported != 5 || report.Count != 2 {
		t.Errorf("of an archive with a spoilt file %d imported, %d refused, %v", report.Imported, report.Count, err)
	}
	if _, err = imported(t, archive(t, "a.tif", "II*")); err == nil || !strings.Contains(err.Error(), "holds no file") {
		t.Error(err)
	}
	if _, err = imported(t, []byte("PK\x03\x04 torn")); err == nil || !strings.Contains(err.Error(), "archive cannot be read") {
		t.Error(err)
	}
}

func TestAnArchiveThatGrowsIsNotReadOn(t *testing.T) {
	data := archive(t, "a.xml", strings.Repeat(" ", 5<<20), "b.jsonl", `{"pub_id":"A1","title":"a"}`)
	path := filepath.Join(t.TempDir(), "in.zip")
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	records, err := openFile(Auto, &metered{File: f})
	if err != nil {
		t.Fatal(err)
	}
	records.(*zipped).left = 1 << 20
	if _, _, err := records.next(); err != errGrowth {
		t.Error(err)
	}
}

func FuzzArchives(f *testing.F) {
	f.Add(archive(f, "a.xml", "<a/>", "b.jsonl", "{}\n{", "c.json", "[{},", "d/", ""))
	f.Add([]byte("PK\x03\x04"))
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, data []byte) {
		path := filepath.Join(dir, "in.zip")
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		file, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		defer file.Close()
		records, err := openFile(Auto, &metered{File: file})
		if err != nil {
			return
		}
		if z, ok := records.(*zipped); ok {
			z.left = 1 << 20
		}
		drain(t, records, 1<<20)
	})
}
