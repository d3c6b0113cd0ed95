package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestPagesOfTheCommands(t *testing.T) {
	t.Setenv("SOURCE_DATE_EPOCH", "1790000000")
	dir := t.TempDir()
	if err := write(dir); err != nil {
		t.Fatal(err)
	}
	for page, says := range map[string]string{
		"sagasu.1":           "Sep 2026",
		"sagasu-find.1":      "sagasu find QUERY",
		"sagasu-vault-log.1": "earlier version",
	} {
		if text, err := os.ReadFile(filepath.Join(dir, page)); err != nil {
			t.Error(err)
		} else if !strings.Contains(string(text), says) {
			t.Errorf("%s does not say %q:\n%s", page, says, text)
		}
	}
	if pages, _ := filepath.Glob(filepath.Join(dir, "*.1")); len(pages) < 40 {
		t.Errorf("%d pages", len(pages))
	}
}
