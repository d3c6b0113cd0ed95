package unit

import (
	"cmp"
	"fmt"
	"path"
	"strings"

	"github.com/sagasu-search/sagasu/framework/internal/corpus"
	"github.com/sagasu-search/sagasu/framework/internal/logic/code"
	"github.com/sagasu-search/sagasu/framework/internal/logic/repo"
	"github.com/sagasu-search/sagasu/framework/internal/logic/spec"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
)

// Broken is the keyword of units from a file whose syntax could not be followed to the end.
const Broken = "broken"

// KindKeyword returns the keyword of the units of a kind.
func KindKeyword(k repo.Kind) string { return fmt.Sprint("source:", k) }

// Cut cuts a file of a repository into rows for its units, with the fields of [snapshot.LogicSchema].
func Cut(name string, kind repo.Kind, src []byte) []corpus.Row {
	if kind != repo.Code && corpus.IsMarkdown(name) {
		return requirements(name, kind, src)
	}
	return declarations(name, kind, src)
}

// requirements returns the units of a specification.
func requirements(name string, kind repo.Kind, src []byte) []corpus.Row {
	rows := []corpus.Row{}
	for _, u := range spec.Cut(name, src) {
		rows = append(rows, corpus.Row{
			Section: snapshot.Section{
				Title: u.Name, Node: snapshot.NodeHeading, Start: u.First, End: u.Last, OwnEnd: u.Last, Body: u.First,
				Parent: snapshot.None,
			},
			Fields:   []string{u.Name, words(name) + "\n" + u.HeadingPath, "", u.Text, ""},
			Keywords: []string{KindKeyword(kind)},
		})
	}
	return rows
}

// declarations returns the units of a program, or blocks of any other text.
func declarations(path string, kind repo.Kind, src []byte) []corpus.Row {
	file := code.Cut(path, src)
	keywords := []string{KindKeyword(kind)}
	if file.Broken {
		keywords = append(keywords, Broken)
	}
	lines, owns := corpus.NewLines(src), owns(file.Units, src)
	rows := []corpus.Row{}
	for i, u := range file.Units {
		first, name := lines.At(u.Start), u.Name[strings.LastIndexByte(u.Name, '.')+1:]
		rows = append(rows, corpus.Row{
			Section: snapshot.Section{
				Title: u.Qualified, Node: snapshot.NodeUnit, Start: first, End: u.Last, OwnEnd: u.Last,
				Body: max(u.Decl, first), Parent: snapshot.None,
			},
			Fields: []string{cmp.Or(strings.Join(u.Names, "\n"), name), words(path) + "\n" +
				strings.TrimSuffix(u.Qualified, name), string(src[u.Doc.Start:u.Doc.End]), owns[i], facts(u.Facts)},
			Keywords: keywords,
		})
		if u.Parent != code.NoParent {
			rows[i].Parent = uint32(u.Parent)
		}
		if u.Name == "" {
			rows[i].Node = snapshot.NodeLines
		}
	}
	return rows
}

// owns returns the texts of units without their doc comments and without the units inside them.
func owns(units []code.Unit, src []byte) []string {
	parts := make([]strings.Builder, len(units))
	at := make([]int, len(units)) // end of the text taken for each unit
	take := func(i, to int) {
		if to > at[i] {
			parts[i].Write(src[at[i]:to])
			at[i] = to
		}
	}
	for i, u := range units {
		at[i] = u.Start
		if p := u.Parent; p != code.NoParent {
			take(p, u.Start)
			at[p] = max(at[p], u.End)
		}
	}
	all := make([]string, len(units))
	for i, u := range units {
		take(i, u.End)
		all[i] = parts[i].String()
		if doc := string(src[u.Doc.Start:u.Doc.End]); doc != "" {
			all[i] = strings.Replace(all[i], doc, "", 1)
		}
	}
	return all
}

// words returns the names in a path, separated by spaces.
func words(name string) string {
	return strings.ReplaceAll(strings.TrimSuffix(name, path.Ext(name)), "/", " ")
}

// facts returns the values, uses and failures of a unit, each on a line.
func facts(f code.Facts) string {
	var b strings.Builder
	for _, c := range f.Constants {
		fmt.Fprintf(&b, "%s = %s\n", c.Name, c.Value)
	}
	for _, name := range f.Uses {
		fmt.Fprintln(&b, name)
	}
	for _, e := range f.Failures {
		fmt.Fprintln(&b, e.Name, e.Message)
	}
	return b.String()
}
