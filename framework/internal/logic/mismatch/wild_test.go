//go:build wild

package mismatch

import (
	"bytes"
	"cmp"
	"errors"
	"flag"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/sagasu-search/sagasu/framework/internal/logic/repo"
	"github.com/sagasu-search/sagasu/framework/internal/logic/rule"
	"github.com/sagasu-search/sagasu/framework/internal/logic/wild"
)

var show = flag.Bool("show", false, "print each report")

// Public repositories show how useful the report is: one token of a specification that code fulfils is changed at a
// time, and the report must name that line. The unchanged repository is the control.
//
//	go test -tags wild -run 'TestWild$' -v ./framework/internal/logic/mismatch -args -clones DIR -half building
func TestWild(t *testing.T) {
	var all score
	byKind := map[string]*score{}
	wild.Each(t, func(from wild.Repository) {
		began, known := time.Now(), map[string]bool{}
		for _, row := range from.Known {
			known[row["specification"]] = true
		}
		r := readWild(t, from)
		control := r.compare(t, "", nil)
		var own score
		for _, c := range control {
			if known[fmt.Sprintf("%s:%d", c.Wants.Path, c.Wants.Line)] {
				own.known++
			} else {
				own.control++
			}
			r.show(t, "control", c)
		}
		for _, m := range from.Mutations {
			if byKind[m["kind"]] == nil {
				byKind[m["kind"]] = &score{}
			}
			found, wrong := r.mutate(t, m, control)
			own.add(found, wrong)
			byKind[m["kind"]].add(found, wrong)
		}
		t.Logf("%-35s %v, %d statements, %.1f s", from.Name, own, len(r.specs), time.Since(began).Seconds())
		all.sum(own)
		all.statements += len(r.specs)
	})
	for kind, s := range byKind {
		t.Logf("%-12s %v", kind, s)
	}
	t.Logf("%-12s %v, %d statements", "all", all, all.statements)
}

// score counts the mutations that were found and all other reports.
type score struct {
	mutations, found int
	wrong            int // other reports because of a mutation
	control, known   int // reports on the unchanged repository: wrong and right ones
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

// sides are the rules of a repository's code and specifications.
type sides struct {
	files       repo.Files
	listed      map[string]repo.File
	code, specs []rule.Rule
}

func (r *sides) show(t *testing.T, of string, c rule.Conflict) {
	if *show {
		t.Logf("%s %s\n\twants %s:%d %s\n\thas   %s:%d %s %s", of, c.What, c.Wants.Path, c.Wants.Line, c.Wants.Text,
			c.Has.Path, c.Has.Line, c.Has.Text, c.Has.Value)
	}
}

// compare returns the conflicts. If path is not "", that specification has the changed rules.
func (r *sides) compare(t *testing.T, path string, changed []rule.Rule) []rule.Conflict {
	t.Helper()
	specs := slices.DeleteFunc(slices.Clone(r.specs), func(s rule.Rule) bool { return s.Path == path })
	specs = append(specs, changed...)
	m, err := Compare(t.Context(), map[repo.Kind][]rule.Rule{repo.Code: r.code, repo.MainSpec: specs})
	if err != nil {
		t.Fatal(err)
	}
	return m.Code.Conflicts
}

// mutate reports whether a mutation is found, and how many wrong reports it causes.
func (r *sides) mutate(t *testing.T, m wild.Row, control []rule.Conflict) (found bool, wrong int) {
	t.Helper()
	line, errLine := strconv.Atoi(m["line"])
	nth, errNth := strconv.Atoi(cmp.Or(m["nth"], "1"))
	text, errText := r.files.ReadFile(m["path"])
	if err := errors.Join(errLine, errNth, errText); err != nil {
		t.Fatalf("%v: %v", m, err)
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
	conflicts := r.compare(t, m["path"], new(Read).rulesOf(r.listed[m["path"]], bytes.Join(lines, nil)))
	for _, c := range conflicts {
		switch {
		case c.Wants.Path == m["path"] && c.Wants.Line == line && !contains(control, c) && !fulfils(c.Has, m):
			wrong++
			r.show(t, "elsewhere "+m["kind"]+" "+m["from"]+" -> "+m["to"]+" ("+m["code"]+")", c)
		case c.Wants.Path == m["path"] && c.Wants.Line == line && !contains(control, c):
			found = true
			r.show(t, "found "+m["kind"]+" "+m["from"]+" -> "+m["to"]+" ("+m["code"]+")", c)
		case !contains(control, c):
			wrong++
			r.show(t, "beside "+m["kind"]+" "+m["from"]+" -> "+m["to"]+" ("+m["path"]+":"+m["line"]+")", c)
		}
	}
	if !found && *show {
		t.Logf("missed %s %s -> %s (%s)\n\twants %s:%d %s", m["kind"], m["from"], m["to"], m["code"], m["path"], line, bytes.TrimSpace(changed))
	}
	return found, wrong
}

// fulfils reports whether a line of code fulfils the unchanged specification, as far as that can be seen: it is in the
// file that a reader found, or contains the number.
func fulfils(has rule.Side, m wild.Row) bool {
	if path, _, _ := strings.Cut(m["code"], ":"); has.Path == path {
		return true
	}
	before := digits.FindString(m["from"])
	for _, word := range regexp.MustCompile(`\w+`).FindAllString(has.Text+" "+has.Value, -1) {
		if before != "" && word == before {
			return true
		}
	}
	return false
}

var digits = regexp.MustCompile(`\d+`)

// contains reports whether the unchanged repository has the same report, whatever the text of the specification's line.
func contains(control []rule.Conflict, c rule.Conflict) bool {
	return slices.ContainsFunc(control, func(o rule.Conflict) bool {
		return o.What == c.What && o.Wants.Path == c.Wants.Path && o.Wants.Line == c.Wants.Line && o.Has == c.Has
	})
}

// readWild reads a repository at its commit.
func readWild(t *testing.T, from wild.Repository) *sides {
	t.Helper()
	listed, _, err := repo.Walk(t.Context(), from.Dir, from.Globs)
	if err != nil {
		t.Fatal(err)
	}
	r := &sides{files: os.DirFS(from.Dir).(repo.Files), listed: map[string]repo.File{}}
	_, rules, err := read(t.Context(), r.files, listed, nil)
	if err != nil {
		t.Fatal(err)
	}
	r.code, r.specs = rules[repo.Code], rules[repo.MainSpec]
	for _, f := range listed {
		r.listed[f.Path] = f
	}
	return r
}
