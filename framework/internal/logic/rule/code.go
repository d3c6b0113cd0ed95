package rule

import (
	"context"
	"path"
	"slices"
	"strings"

	"github.com/sagasu-search/sagasu/framework/internal/logic/code"
)

// Code reads the rules of the units of a cut file until ctx is done. What other files name is taken from
// shared.
func Code(ctx context.Context, file string, src []byte, f code.File, shared Constants) []Source {
	opened, all := openFile(file, src, f), []Source{}
	opened.shared = shared
	for i := range f.Units {
		if ctx.Err() != nil {
			break
		}
		all = append(all, opened.read(i))
	}
	return all
}

// codeFile is what the readers of a file's units share.
type codeFile struct {
	code.File
	path   string
	src    []byte
	lines  []string          // without comments and doc strings
	consts map[string]string // expressions of the file's constants, by name

	shared   Constants       // those of the program
	imported map[string]bool // see imports
}

func openFile(file string, src []byte, f code.File) *codeFile {
	o := &codeFile{File: f, path: file, src: src, consts: map[string]string{}}
	o.lines = strings.Split(strings.ReplaceAll(string(f.Uncommented(src)), "\r\n", "\n"), "\n")
	for _, u := range f.Units {
		for _, c := range constants(u, o.lines) {
			o.consts[c.Name] = c.Value
		}
	}
	return o
}

func (f *codeFile) read(i int) Source {
	u := f.Units[i]
	r := &reader{codeFile: f, unit: u, inner: f.inner(i)}
	r.guards = r.readGuards()
	s := Source{Path: f.path, Name: u.Name, First: u.First, Last: u.Last, Names: Read(u.Name), text: r.joined()}
	stem := strings.TrimSuffix(path.Base(f.path), path.Ext(f.path))
	s.Topic = s.Names.with(Read(u.Qualified), Read(stem), Read(string(f.src[u.Doc.Start:u.Doc.End])), Read(u.Signature))
	s.said = s.Names.with(Read(string(f.src[u.Doc.Start:u.Doc.End])))
	s.Rules = slices.Concat(r.amounts(), r.members(), r.states(), r.statuses(), r.presences(), r.effects())
	if o, ok := r.order(); ok {
		s.Rules = append(s.Rules, o)
	}
	for i := range s.Rules {
		one := &s.Rules[i]
		one.Text, one.About = r.at(one.Line), one.measured(one.About)
	}
	return s
}

// inner are the units inside of unit i that are read by themselves, too;
// constants belong to both.
func (f *codeFile) inner(i int) []code.Unit {
	all := []code.Unit{}
	for _, other := range f.Units[i+1:] {
		if other.First > f.Units[i].Last {
			break
		}
		if other.Last <= f.Units[i].Last && other.Kind != code.Constant {
			all = append(all, other)
		}
	}
	return all
}

// reader reads the rules of one unit.
type reader struct {
	*codeFile
	unit   code.Unit
	inner  []code.Unit
	guards []guard
}

// constants are the named values of a unit; of a constant on one line whose
// value is more than a literal, what is written behind its sign.
func constants(u code.Unit, lines []string) []code.NamedValue {
	if u.Kind != code.Constant || len(u.Facts.Constants) > 0 || u.Decl != u.Last || u.Decl > len(lines) {
		return u.Facts.Constants
	}
	_, value, _ := strings.Cut(lines[u.Decl-1], "=")
	return []code.NamedValue{{Line: u.Decl, Name: u.Name, Value: strings.TrimSpace(value)}}
}

// at is a line of the file on one line, "" where there is none.
func (r *reader) at(line int) string {
	if line < 1 || line > len(r.lines) {
		return ""
	}
	return strings.Join(strings.Fields(r.lines[line-1]), " ")
}

// each calls for every line of the unit that holds code.
func (r *reader) each(do func(line int, text string)) {
	for n := max(r.unit.First, 1); n <= r.unit.Last && n <= len(r.lines); n++ {
		inside := slices.ContainsFunc(r.inner, func(u code.Unit) bool { return u.First <= n && n <= u.Last })
		if !inside && strings.TrimSpace(r.lines[n-1]) != "" {
			do(n, r.lines[n-1])
		}
	}
}

func (r *reader) joined() string {
	all := []string{}
	r.each(func(_ int, text string) { all = append(all, text) })
	return strings.Join(all, "\n")
}

// rule starts a rule on a line about some words.
func rule(kind Kind, line int, about ...string) Rule {
	return Rule{Kind: kind, Line: line, About: Read(strings.Join(about, " "))}
}
