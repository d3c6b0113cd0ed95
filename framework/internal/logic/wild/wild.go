//go:build wild

// Package wild unpacks the public repositories of testdata/wild for the tests that measure on them.
//
// Their flags come after -args: the clones to unpack, which half, and which repositories.
package wild

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sagasu-search/sagasu/framework/internal/logic/repo"
)

var (
	clones   = flag.String("clones", "", "folder of clones, each named owner+name")
	half     = flag.String("half", "building", "building, measured, or with questions alone further or fresh")
	only     = flag.String("only", "", "measure only on repositories whose name holds this")
	reserved = flag.String("reserved", "", "file of SHA-256 sums of owner/name that must not be looked at")
)

// Row is a row of a table, by column name.
type Row map[string]string

// Repository is a public repository at its commit.
type Repository struct {
	Name  string
	Dir   string // its files, removed at the end of the test
	Globs repo.Globs
	// Mutations and Questions are its rows in the tables of these names; Known are its rows in the table of
	// contradictions.
	Mutations, Questions, Known []Row
}

// Each calls f with each repository of the half. It skips the test if there are no clones, and fails it if a repository
// is reserved.
func Each(t *testing.T, f func(Repository)) {
	t.Helper()
	if *clones == "" {
		t.Skip("no clones: -args -clones DIR")
	}
	mutations, questions, known := table(t, "mutations"), table(t, "questions"), table(t, "contradictions")
	for _, row := range table(t, "repositories") {
		name := row["repository"]
		if !strings.Contains(name, *only) {
			continue
		}
		refuseReserved(t, name)
		of := func(rows []Row) (own []Row) {
			for _, r := range rows {
				if r["repository"] == name {
					own = append(own, r)
				}
			}
			return own
		}
		f(Repository{
			Name: name, Dir: unpack(t, name, row["commit"]),
			Globs:     repo.Globs{Code: repo.Split(row["code"]), Specs: repo.Split(row["specs"])},
			Mutations: of(mutations), Questions: of(questions), Known: of(known),
		})
	}
}

func unpack(t *testing.T, name, commit string) string {
	t.Helper()
	dir, clone := t.TempDir(), filepath.Join(*clones, strings.ReplaceAll(name, "/", "+"))
	cmd := exec.Command("sh", "-c", `git -C "$0" archive -o "$2.tar" "$1" && tar -xf "$2.tar" -C "$2"`, clone, commit, dir)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%s: %v: %s", name, err, out)
	}
	return dir
}

// refuseReserved fails the test if a repository is reserved.
func refuseReserved(t *testing.T, name string) {
	t.Helper()
	if *reserved == "" {
		return
	}
	sums, err := os.ReadFile(*reserved)
	if err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256([]byte(strings.ToLower(name)))
	if bytes.Contains(sums, []byte(hex.EncodeToString(sum[:]))) {
		t.Fatalf("%s is kept aside", name)
	}
}

// table reads the rows of a table of the half, keyed by the names in its first line. A missing table has no rows.
func table(t *testing.T, name string) (rows []Row) {
	t.Helper()
	src, err := os.ReadFile(filepath.Join("..", "..", "..", "..", "testdata", "wild", *half, name+".tsv"))
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	var names []string
	for line := range strings.Lines(string(src)) {
		if strings.HasPrefix(line, "#") || strings.TrimSpace(line) == "" {
			continue
		}
		values := strings.Split(strings.TrimRight(line, "\r\n"), "\t")
		if names == nil {
			names = values
			continue
		}
		row := Row{}
		for i, v := range values[:min(len(values), len(names))] {
			row[names[i]] = v
		}
		rows = append(rows, row)
	}
	return rows
}
