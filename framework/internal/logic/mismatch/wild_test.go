//go:build wild

package mismatch

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/sagasu-search/sagasu/framework/internal/logic/code"
	"github.com/sagasu-search/sagasu/framework/internal/logic/repo"
	"github.com/sagasu-search/sagasu/framework/internal/logic/rule"
)

var (
	wildClones   = flag.String("clones", "", "folder of clones, each named owner+name")
	wildHalf     = flag.String("half", "building", "building or measured")
	wildOnly     = flag.String("only", "", "measure only repositories whose name holds this")
	wildReserved = flag.String("reserved", "", "file of SHA-256 sums of owner/name that must not be looked at")
	wildShow     = flag.Bool("show", false, "print each report")
)

// Public repositories say what a contradiction is worth: one token of a specification that code fulfils is
// changed at a time, and the report must name that line. The unchanged repository is the control.
//
//	go test -tags wild -run 'TestWild$' -v ./framework/internal/logic/mismatch -args -clones DIR -half building
func TestWild(t *testing.T) {
	if *wildClones == "" {
		t.Skip("no clones: -args -clones DIR")
	}
	folder := filepath.Join("..", "..", "..", "..", "testdata", "wild", *wildHalf)
	mutations := table(t, filepath.Join(folder, "mutations.tsv"))
	known := map[string]bool{}
	if _, err := os.Stat(filepath.Join(folder, "contradictions.tsv")); err == nil {
		for _, row := range table(t, filepath.Join(folder, "contradictions.tsv")) {
			known[row["repository"]+" "+row["specification"]] = true
		}
	}
	var all score
	byKind := map[string]*score{}
	for _, row := range table(t, filepath.Join(folder, "repositories.tsv")) {
		name := row["repository"]
		if !strings.Contains(name, *wildOnly) {
			continue
		}
		refuseReserved(t, name)
		began := time.Now()
		r := readWild(t, row)
		control := r.compare(t, "", nil)
		var own score
		for _, c := range control {
			if known[fmt.Sprintf("%s %s:%d", name, c.Wants.Path, c.Wants.Line)] {
				own.known++
			} else {
				own.control++
			}
			r.show(t, "control", c)
		}
		for _, m := range mutations {
			if m["repository"] != name {
				continue
			}
			if byKind[m["kind"]] == nil {
				byKind[m["kind"]] = &score{}
			}
			found, wrong := r.mutate(t, m, control)
			own.add(found, wrong)
			byKind[m["kind"]].add(found, wrong)
		}
		t.Logf("%-35s %v, %d statements, %.1f s", name, own, r.statements, time.Since(began).Seconds())
		all.sum(own)
		all.statements += r.statements
	}
	for kind, s := range byKind {
		t.Logf("%-12s %v", kind, s)
	}
	t.Logf("%-12s %v, %d statements", "all", all, all.statements)
}

// score counts what was found of mutations and what was reported besides.
type score struct {
	mutations, found int
	wrong            int // reports that a mutation brought elsewhere
	control, known   int // reports on the unchanged repository, and those of them that hold
	statements       int
}

func (s *score) add(found bool, wrong int) {
	s.mutations++
	s.wrong += wrong
	if found {
		s.found++
	}
}

func (s *score) sum(o score) {
	s.mutations, s.found, s.wrong = s.mutations+o.mutations, s.found+o.found, s.wrong+o.wrong
	s.control, s.known = s.control+o.control, s.known+o.known
}

func (s score) String() string {
	return fmt.Sprintf("found %d of %d (%.2f), wrong beside %d, control %d, of them known to hold %d",
		s.found, s.mutations, float64(s.found)/float64(max(1, s.mutations)), s.wrong, s.control+s.known, s.known)
}

// wild is a repository with what its code and specifications say.
type wild struct {
	texts      map[string][]byte // of specifications
	files      map[string]repo.File
	sources    map[string][]rule.Source // of specifications, by path
	code       []rule.Source
	statements int
}

func (r *wild) show(t *testing.T, of string, c rule.Conflict) {
	if *wildShow {
		t.Logf("%s %s\n\twants %s:%d %s\n\thas   %s:%d %s %s", of, c.What, c.Wants.Path, c.Wants.Line, c.Wants.Text,
			c.Has.Path, c.Has.Line, c.Has.Text, c.Has.Value)
	}
}

// compare returns the conflicts, with one specification having other rules if path is not "".
func (r *wild) compare(t *testing.T, path string, changed []rule.Source) []rule.Conflict {
	var specs []rule.Source
	for _, p := range slices.Sorted(func(yield func(string) bool) {
		for p := range r.sources {
			if !yield(p) {
				return
			}
		}
	}) {
		if p == path {
			specs = append(specs, changed...)
		} else {
			specs = append(specs, r.sources[p]...)
		}
	}
	m, err := Compare(t.Context(), map[repo.Kind][]rule.Source{repo.Code: r.code, repo.MainSpec: specs})
	if err != nil {
		t.Fatal(err)
	}
	return m.Code
}

// mutate reports whether a mutation is found, and how many reports it brings on other lines.
func (r *wild) mutate(t *testing.T, m map[string]string, control []rule.Conflict) (found bool, wrong int) {
	t.Helper()
	line, errLine := strconv.Atoi(m["line"])
	nth, errNth := strconv.Atoi(cmp.Or(m["nth"], "1"))
	text, ok := r.texts[m["path"]]
	if errLine != nil || errNth != nil || !ok {
		t.Fatalf("%v: no such line", m)
	}
	lines := bytes.SplitAfter(text, []byte("\n"))
	at := 0
	for range nth {
		next := bytes.Index(lines[line-1][at:], []byte(m["from"]))
		if next < 0 {
			t.Fatalf("%v: the line does not hold it", m)
		}
		at += next + len(m["from"])
	}
	changed := slices.Concat(lines[line-1][:at-len(m["from"])], []byte(m["to"]), lines[line-1][at:])
	lines[line-1] = changed
	conflicts := r.compare(t, m["path"], sourcesOf(t.Context(), r.files[m["path"]], bytes.Join(lines, nil), rule.Constants{}))
	for _, c := range conflicts {
		switch {
		case c.Wants.Path == m["path"] && c.Wants.Line == line && !contains(control, c):
			found = true
			r.show(t, "found "+m["kind"]+" "+m["from"]+" -> "+m["to"]+" ("+m["code"]+")", c)
		case !contains(control, c):
			wrong++
			r.show(t, "beside "+m["kind"]+" "+m["from"]+" -> "+m["to"]+" ("+m["path"]+":"+m["line"]+")", c)
		}
	}
	if !found && *wildShow {
		t.Logf("missed %s %s -> %s (%s)\n\twants %s:%d %s", m["kind"], m["from"], m["to"], m["code"], m["path"], line, bytes.TrimSpace(changed))
	}
	return found, wrong
}

// contains reports whether the unchanged repository has the same report, whatever the text of its lines.
func contains(control []rule.Conflict, c rule.Conflict) bool {
	return slices.ContainsFunc(control, func(o rule.Conflict) bool {
		return o.What == c.What && o.Wants.Path == c.Wants.Path && o.Wants.Line == c.Wants.Line && o.Has == c.Has
	})
}

// readWild reads a repository at its commit.
func readWild(t *testing.T, row map[string]string) *wild {
	t.Helper()
	dir := t.TempDir()
	clone := filepath.Join(*wildClones, strings.ReplaceAll(row["repository"], "/", "+"))
	archive := exec.Command("git", "-C", clone, "archive", row["commit"])
	unpack := exec.Command("tar", "-x", "-C", dir)
	var err error
	if unpack.Stdin, err = archive.StdoutPipe(); err != nil {
		t.Fatal(err)
	}
	if err := unpack.Start(); err != nil {
		t.Fatal(err)
	}
	if err := archive.Run(); err != nil {
		t.Fatalf("%s: %v", row["repository"], err)
	}
	if err := unpack.Wait(); err != nil {
		t.Fatal(err)
	}
	globs := repo.Globs{Code: repo.Split(row["code"]), Specs: repo.Split(row["specs"])}
	listed, _, err := repo.Walk(t.Context(), dir, globs)
	if err != nil {
		t.Fatal(err)
	}
	r := &wild{texts: map[string][]byte{}, files: map[string]repo.File{}, sources: map[string][]rule.Source{}}
	r.read(t.Context(), t, os.DirFS(dir).(files), listed)
	return r
}

// files is what [os.DirFS] returns.
type files interface {
	ReadFile(path string) ([]byte, error)
}

func (r *wild) read(ctx context.Context, t *testing.T, from files, listed []repo.File) {
	t.Helper()
	var shared rule.Constants
	texts := map[string][]byte{}
	for _, f := range listed {
		src, ok, err := readable(ctx, from, f)
		if err != nil {
			t.Fatal(err)
		}
		if !ok {
			continue
		}
		texts[f.Path] = src
		if f.Kind == repo.Code {
			shared.Add(f.Path, src, code.Cut(f.Path, src))
		}
	}
	for _, f := range listed {
		src, ok := texts[f.Path]
		switch {
		case !ok:
		case f.Kind == repo.Code:
			r.code = append(r.code, sourcesOf(ctx, f, src, shared)...)
		default:
			r.texts[f.Path], r.files[f.Path] = src, f
			r.sources[f.Path] = sourcesOf(ctx, f, src, shared)
			for _, s := range r.sources[f.Path] {
				r.statements += len(s.Rules)
			}
		}
	}
}

// refuseReserved fails when a repository is kept aside.
func refuseReserved(t *testing.T, name string) {
	t.Helper()
	if *wildReserved == "" {
		return
	}
	sums, err := os.ReadFile(*wildReserved)
	if err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256([]byte(strings.ToLower(name)))
	if bytes.Contains(sums, []byte(hex.EncodeToString(sum[:]))) {
		t.Fatalf("%s is kept aside", name)
	}
}

// table reads the rows of a file of tab-separated values by the names in its first line.
func table(t *testing.T, path string) (rows []map[string]string) {
	t.Helper()
	src, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for line := range strings.Lines(string(src)) {
		if line = strings.TrimRight(line, "\r\n"); line == "" || line[0] == '#' {
			continue
		}
		values := strings.Split(line, "\t")
		if names == nil {
			names = values
			continue
		}
		row := map[string]string{}
		for i, name := range names {
			if i < len(values) {
				row[name] = values[i]
			}
		}
		rows = append(rows, row)
	}
	return rows
}
