package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestTablesAreThoseOfText(t *testing.T) {
	file := filepath.Join(t.TempDir(), "tables.bin")
	if err := run([]string{"tables", file}); err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	want, err := os.ReadFile("../doublebyte/tables.bin")
	if err != nil {
		t.Fatal(err)
	}
	if !cmp.Equal(got, want) {
		t.Error("tables.bin is not what mkdata makes: go generate ./sdk/x/charset/doublebyte")
	}
}

func TestLanguages(t *testing.T) {
	dir := t.TempDir()
	if _, err := languages(dir); err == nil {
		t.Error("an empty folder is no error")
	}
	for name, text := range map[string]string{"vi/a.txt": "Tiếng Việt", "ja/a.txt": "データ\n", "zh_cn/b.txt": "退款"} {
		file := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(strings.Repeat(text, 5)), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	data, err := languages(dir)
	if err != nil || len(data) == 0 {
		t.Errorf("%d bytes, error %v", len(data), err)
	}
	if got, want := tones("Tiếng Việt"), "Tiê\u0301ng Viê\u0323t"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got := halved("データ\n"); !strings.Contains(got, "ﾃﾞｰﾀ") {
		t.Errorf("got %q", got)
	}
}
