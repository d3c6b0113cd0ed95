package vault

import (
	"path"
	"slices"
	"strings"
	"time"
	"unicode"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"

	"github.com/sagasu-search/sagasu/framework/internal/corpus"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
)

// Names of the vault's layout (docs/vault.md).
const (
	systemDir    = ".system"
	artifactsDir = "artifacts"
	dailyDir     = "daily"
	gitDir       = ".git" // a file planted there could run commands
)

// zone is a part of the vault with its own rules.
type zone int

const (
	elsewhere zone = iota
	artifacts      // only Markdown and JSON
	daily          // only files named by a date, which only grow
	system         // never written by a caller
)

// action is what a caller wants to do to a file.
type action string

const (
	create    action = "create"
	grow      action = "append"
	overwrite action = "overwrite"
	replace   action = "replace"
)

// place is a path as the rules read it.
type place struct {
	path  string   // as given, clean
	parts []string // its components in the form in which names are compared
	zone  zone
	plain bool // parts are the components of path, one by one
}

// placeOf reads a clean path as the rules do: any spelling that a file system or a person may
// take for a reserved name counts as that name.
func placeOf(cleaned string) place {
	p := place{path: cleaned, parts: foldedParts(cleaned)}
	p.plain = len(p.parts) == strings.Count(cleaned, "/")+1
	switch {
	case slices.Contains(p.parts, gitDir) || p.is(0, systemDir):
		p.zone = system
	case p.is(0, artifactsDir) && p.is(1, dailyDir):
		p.zone = daily
	case p.is(0, artifactsDir):
		p.zone = artifacts
	}
	return p
}

func (p place) is(i int, name string) bool { return i < len(p.parts) && p.parts[i] == name }

// key returns the identity of the place, which all its spellings share.
func (p place) key() string { return strings.Join(p.parts, "/") }

// foldedParts splits a path into components, with compatible characters and case folded, and
// without invisible characters and characters that some systems drop at the end of a name.
func foldedParts(cleaned string) []string {
	folded := norm.NFKC.String(cases.Fold().String(norm.NFKC.String(cleaned)))
	folded = strings.Map(func(r rune) rune {
		if unicode.In(r, unicode.Cf, unicode.Variation_Selector) {
			return -1
		}
		return r
	}, folded)
	parts := strings.FieldsFunc(folded, func(r rune) bool { return r == '/' || r == '\\' })
	for i, part := range parts {
		parts[i] = trimEnd(part)
	}
	return parts
}

func bidirectional(r rune) bool { return unicode.Is(unicode.Bidi_Control, r) }

func trimEnd(name string) string {
	return strings.TrimRightFunc(name, func(r rune) bool { return r == '.' || unicode.IsSpace(r) })
}

// permit fails for what the rules do not let a caller do here.
func (p place) permit(do action) error {
	refuse := func(why, expected string) error { return p.forbidden(why, expected, "notes/plan.md") }
	if problem := p.badName(); problem != "" {
		return refuse(problem, "a name that every system keeps as it is")
	}
	switch name := path.Base(p.path); {
	case p.zone != elsewhere && !p.plain:
		return refuse("a character in it is read as a slash", "a path with / between its components")
	case p.zone == system:
		return refuse("it lies in a reserved folder, which no tool writes", "a path outside .system and .git")
	case slices.ContainsFunc(p.parts, corpus.LeftOut):
		return refuse("hidden files and folders are never searched or found", "names that do not begin with a dot")
	case p.zone == daily:
		return p.permitDaily(do)
	case p.zone == artifacts && (len(p.parts) < 2 || !artifactName(p.parts[len(p.parts)-1]) ||
		!artifactName(strings.ToLower(name))):
		return p.forbidden("artifacts/ holds only .md and .json files", "a path that ends in .md or .json",
			"artifacts/plan.md")
	}
	return nil
}

func (p place) permitDaily(do action) error {
	const example = artifactsDir + "/" + dailyDir + "/2026-01-31.md"
	switch {
	case len(p.parts) != 3 || !isDate(p.parts[2]):
		return p.forbidden("artifacts/daily/ holds only YYYY-MM-DD.md with a date of the calendar", example, example)
	case do == overwrite || do == replace:
		return p.forbidden("artifacts/daily/ only grows; use vault_write with mode append", "mode append", example)
	}
	return nil
}

// unmade returns the error for a copy to a daily file that does not exist.
func (p place) unmade() error {
	return p.forbidden("it does not exist, and only vault_create makes a daily file; make it, then append",
		"a daily file that exists", artifactsDir+"/plan.md")
}

func artifactName(name string) bool {
	ext := path.Ext(name)
	return ext == ".md" || ext == ".json"
}

func isDate(name string) bool {
	date, isMarkdown := strings.CutSuffix(name, ".md")
	day, err := time.Parse(time.DateOnly, date)
	return isMarkdown && err == nil && day.Year() > 0
}

// deepest is the maximum number of components of a path: the cost of walking a tree is quadratic in
// its depth.
const deepest = 32

// badName returns what is wrong with the name of a component, or "".
func (p place) badName() string {
	for part := range strings.SplitSeq(p.path, "/") {
		switch {
		case trimEnd(part) != part:
			return "a name in it ends in a dot or a space"
		case strings.TrimSpace(part) != part:
			return "a name in it begins with a space"
		case strings.Contains(part, ":"):
			return "a name in it holds a colon"
		case strings.ContainsFunc(part, bidirectional):
			return "a name in it holds a character that changes the direction of text, so that it reads as another"
		case isTemporary(part):
			return "its name is reserved for files that are being written"
		}
	}
	if len(p.parts) > deepest || strings.Count(p.path, "/") >= deepest {
		return "it lies in too many folders"
	}
	if len(p.parts) == 0 || slices.Contains(p.parts, "") {
		return "a name in it is read as \".\" or \"..\""
	}
	return ""
}

func (p place) forbidden(why, expected, example string) error {
	return toolset.Errorf(toolset.Forbidden, "%s cannot be written: %s", p.path, why).
		Argument("path", p.path, expected).With("example_path", example)
}

// spellings returns the names under which a component may be stored: first as given, that of a new one last.
func (p place) spellings(i int, name string) []string {
	composed := norm.NFC.String(name)
	canonical := composed
	if p.plain && (p.zone == daily && i <= 2 || p.zone == artifacts && i == 0 || p.zone == system && i == 0) {
		canonical = p.parts[i]
	}
	return slices.Compact([]string{name, composed, canonical})
}

// canonical returns a path with reserved names in their own spelling.
func canonical(cleaned string) string {
	p := placeOf(cleaned)
	parts := strings.Split(cleaned, "/")
	for i := range parts {
		spellings := p.spellings(i, parts[i])
		parts[i] = spellings[len(spellings)-1]
	}
	return strings.Join(parts, "/")
}
