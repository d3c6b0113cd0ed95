package refer

import (
	"context"
	"iter"
	"math"
	"net/url"
	"path"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode"

	"github.com/RoaringBitmap/roaring/v2"

	"github.com/sagasu-search/sagasu/sdk/snapshot"
	"github.com/sagasu-search/sagasu/sdk/text"
	"github.com/sagasu-search/sagasu/sdk/x/lazyregexp"
)

// Keywords that the snapshot of a manual gives every section.
const (
	groupKey = "group:"
	fileKey  = "file:"
)

// Beginnings of the keywords that name the labels of a section, see [Label]: an anchor counts in its file alone, and a
// route leads to the first section of a file.
const (
	LabelKey  = "label:"
	AnchorKey = "anchor:"
	RouteKey  = "route:"
)

// mostLabel is how many bytes of a label count.
const mostLabel = 200

// Label returns a name as texts refer to it, in any case and with any white space.
func Label(name string) string {
	name = strings.Join(strings.Fields(text.Fold(name)), " ")
	return strings.ToValidUTF8(name[:min(mostLabel, len(name))], "")
}

// mostLooked is the maximum number of headings of a manual with which one pointer is compared.
const mostLooked = 20_000

// Targets yields the sections that a text of section from points to, in the order of
// [Pointers], until ctx is done; one may come twice, from never.
func Targets(ctx context.Context, snap *snapshot.Snapshot, from uint32, source string) iter.Seq[uint32] {
	return func(yield func(uint32) bool) {
		for _, p := range distinct(Pointers(source, text.Fold(source))) {
			if ctx.Err() != nil {
				return
			}
			if target, ok := Resolve(snap, from, p); ok && target != from && !yield(target) {
				return
			}
		}
	}
}

// PointsTo reports whether a text of section from points to another section that is one
// of to. It costs less than to compare with all [Targets]: most pointers mean none of to by
// their titles alone. When ctx is done, it does not.
func PointsTo(ctx context.Context, snap *snapshot.Snapshot, from uint32, source string, to []uint32) bool {
	only := &wanted{to, sync.OnceValue(func() string { return pathsOf(snap, to) })}
	for _, p := range distinct(Pointers(source, text.Fold(source))) {
		if ctx.Err() != nil {
			return false
		}
		if target, ok := resolve(snap, from, p, only); ok && target != from && slices.Contains(to, target) {
			return true
		}
	}
	return false
}

// wanted holds the only sections that matter to a caller, and the letters of their paths.
type wanted struct {
	sections []uint32
	paths    func() string
}

// mayHold reports whether a link may lead to one of the sections: whether the path of one contains the letters of the
// link's last name. It costs less than to look for the file.
func (w *wanted) mayHold(target string) bool {
	name := path.Base(Route(strings.TrimSuffix(target, path.Ext(target))))
	return strings.Contains(w.paths(), letters(text.Fold(name)))
}

// pathsOf returns the letters of the paths of some sections, each path in a line.
func pathsOf(snap *snapshot.Snapshot, sections []uint32) string {
	var out strings.Builder
	for _, id := range sections {
		sec, _ := snap.Section(id)
		out.WriteString(letters(text.Fold(sec.Path)) + "\n")
	}
	return out.String()
}

// distinct returns the pointers that differ, each where it first stands.
func distinct(pointers []Pointer) []Pointer {
	seen := make(map[Pointer]bool, len(pointers))
	return slices.DeleteFunc(pointers, func(p Pointer) bool {
		defer func() { seen[p] = true }()
		return seen[p]
	})
}

// Resolve finds the section that a pointer in the text of section from means: by its
// heading, in the same file first, then in the same manual; a link by its path.
func Resolve(snap *snapshot.Snapshot, from uint32, p Pointer) (uint32, bool) {
	return resolve(snap, from, p, nil)
}

// resolve is like Resolve, but need only find the wanted sections; nil means any.
func resolve(snap *snapshot.Snapshot, from uint32, p Pointer, only *wanted) (uint32, bool) {
	sec, ok := snap.Section(from)
	if !ok {
		return 0, false
	}
	if p.Kind == Link {
		return follow(snap, sec, p, only)
	}
	return named(snap, sec, p, only)
}

// named finds the other section that has the number or the title of a pointer.
func named(snap *snapshot.Snapshot, from snapshot.Section, p Pointer, only *wanted) (uint32, bool) {
	if p = neighbour(p, text.Fold(from.Title)); p.Number == "前" || p.Number == "次" {
		return 0, false
	}
	needle := strings.TrimSpace(text.Fold(p.Title))
	if p.Kind != Heading {
		needle, _, _ = strings.Cut(p.Number, "の")
	}
	if needle == "" {
		needle = p.Text
	}
	meant := func(title string) bool { return means(p, needle, title) }
	if only != nil {
		if _, ok := titled(snap, roaring.BitmapOf(only.sections...), from.ID, needle, meant); !ok {
			return 0, false
		}
	}
	file, manual := snap.Keyword(fileKey+from.Group+"/"+from.Path), snap.Keyword(groupKey+from.Group)
	if p.Kind == Heading {
		manual = headed(snap, manual, needle)
		file = roaring.And(file, manual)
	}
	for _, among := range [...]*roaring.Bitmap{file, manual} {
		if id, ok := titled(snap, among, from.ID, needle, meant); ok {
			return id, true
		}
	}
	return 0, false
}

// neighbour replaces 前条 and 次条 by the number of that article, if the title of the section that
// contains them has a number.
func neighbour(p Pointer, title string) Pointer {
	step, ok := map[string]int{"前": -1, "次": 1}[p.Number]
	if !ok || p.Kind != Article {
		return p
	}
	for _, own := range Pointers(title, title) {
		if n, err := strconv.Atoi(own.Number); err == nil && own.Kind == p.Kind {
			p.Number = strconv.Itoa(n + step)
			return p
		}
	}
	return p
}

// headed returns those of some sections that have the rarest word of needle in their heading path: the only ones whose
// title can be needle.
func headed(snap *snapshot.Snapshot, among *roaring.Bitmap, needle string) *roaring.Bitmap {
	rarest, sections := "", math.MaxInt
	norm := text.Normalize(needle)
	for token := range text.Tokens(&norm) {
		if token.Class != text.Word && token.Class != text.Bigram {
			continue
		}
		if n := snap.DocFreq(token.Term); n < sections {
			rarest, sections = token.Term, n
		}
	}
	if rarest == "" {
		return among
	}
	out := roaring.New()
	for _, seg := range snap.Segments() {
		var p snapshot.Postings
		if !seg.Postings(rarest, &p) {
			continue
		}
		for p.Next() {
			for i, freq := range p.Freqs(snapshot.FieldHeading) {
				if freq > 0 {
					out.Add(seg.Base() + p.Docs[i])
				}
			}
		}
	}
	out.And(among)
	return out
}

// titled finds the first other section whose own title is the one meant. Only
// titles below a heading path that holds needle are looked at closely.
func titled(
	snap *snapshot.Snapshot, among *roaring.Bitmap, but uint32, needle string, meant func(title string) bool,
) (uint32, bool) {
	for it, n := among.Iterator(), 0; it.HasNext() && n < mostLooked; n++ {
		id := it.Next()
		if id == but || !strings.Contains(snap.Normalized(id, snapshot.FieldHeading), needle) {
			continue
		}
		if sec, ok := snap.Section(id); ok && meant(text.Fold(sec.Title)) {
			return id, true
		}
	}
	return 0, false
}

// leading is the number that a heading begins with, as in "4.2 Limits".
var leading = lazyregexp.New(`^(\d+(?:\.\d+)*)(?:[.)、:\s]|$)`)

// unnumbered matches the number at the start of a title, of any kind.
var unnumbered = lazyregexp.New(`^(?:第?\d+(?:\.\d+)*(?:条|章|節|項|部)?[.)、:]? *)`)

// means reports whether a normalised title names what a pointer points to.
func means(p Pointer, needle, title string) bool {
	switch p.Kind {
	case Heading:
		return letters(title) == letters(needle) || letters(unnumbered().ReplaceAllString(title, "")) == letters(needle)
	case Section, Chapter:
		if m := leading().FindStringSubmatch(title); m != nil && m[1] == p.Number {
			return true
		}
	}
	for _, own := range Pointers(title, title) {
		if own.Kind == p.Kind && own.Number == p.Number {
			return true
		}
	}
	return false
}

// follow finds the section that a Markdown link leads to: path relative to its file,
// anchor made from a title. A link without a known anchor means the file's first section.
func follow(snap *snapshot.Snapshot, from snapshot.Section, p Pointer, only *wanted) (uint32, bool) {
	target, err := url.PathUnescape(p.Path)
	if err != nil {
		return 0, false
	}
	heading := Pointer{Kind: Heading, Title: p.Path}
	if only != nil && !only.mayHold(target) {
		if _, ok := named(snap, from, heading, only); !ok {
			return 0, false
		}
	}
	sections := linked(snap, from, target)
	if sections.IsEmpty() {
		return named(snap, from, heading, only)
	}
	anchor, err := url.PathUnescape(p.Anchor)
	if err != nil || anchor == "" {
		return sections.Minimum(), p.Path != ""
	}
	if own := roaring.And(snap.Keyword(AnchorKey+Label(anchor)), sections); !own.IsEmpty() {
		return own.Minimum(), true
	}
	labelled := snap.Keyword(LabelKey + Label(anchor))
	for _, among := range [...]*roaring.Bitmap{sections, snap.Keyword(groupKey + from.Group)} {
		if both := roaring.And(labelled, among); !both.IsEmpty() {
			return both.Minimum(), true
		}
		if p.Path != "" { // it names the file
			break
		}
	}
	plain := letters(text.Fold(anchor))
	same := func(title string) bool {
		return letters(title) == plain || letters(unnumbered().ReplaceAllString(title, "")) == plain
	}
	if id, ok := titled(snap, sections, snapshot.None, "", same); ok {
		return id, true
	}
	return sections.Minimum(), p.Path != ""
}

// pages are what stands behind the path of a link in the name of the file that a site makes its page from.
var pages = []string{"", ".md", ".mdx", ".rst", "/index.md", "/index.mdx", "/_index.md", "/README.md"}

// linked returns the sections of the file that a link leads to. A path from the root of a site may begin at any
// folder above the file that has the link: where the site's texts lie is not known.
func linked(snap *snapshot.Snapshot, from snapshot.Section, target string) *roaring.Bitmap {
	file := from.Group + "/" + from.Path
	if target == "" {
		return snap.Keyword(fileKey + file)
	}
	roots := []string{path.Dir(file)}
	if path.IsAbs(target) {
		roots = append(above(file), ".") // the manual may be the folder that the path begins with
	}
	for _, root := range roots {
		names := []string{path.Join(root, target)}
		if page, ok := strings.CutSuffix(names[0], ".html"); ok {
			names = append(names, page)
		}
		for _, at := range names {
			for _, end := range pages {
				if sections := snap.Keyword(fileKey + at + end); !sections.IsEmpty() {
					return sections
				}
			}
		}
	}
	for _, root := range roots {
		at, _ := strings.CutPrefix(path.Join(root, target), from.Group+"/")
		if sections := routed(snap, from.Group, at); !sections.IsEmpty() {
			return sections
		}
	}
	return roaring.New()
}

// ordinal is a number that puts a folder or a file in its place; it is not the start of a date or a version.
var ordinal = lazyregexp.New(`^\d+\s*[-_.]+\s*([^-_.\s\d])`)

// Route returns the path under which a site shows a file, given without its extension: numbers that only put folders
// and files in order are left out, and so is the name of a file that is its folder's or stands for it.
func Route(file string) string {
	parts := strings.Split(path.Clean(file), "/")
	for i := range parts {
		parts[i] = ordinal().ReplaceAllString(parts[i], "$1")
	}
	if n := len(parts) - 1; n > 0 {
		switch name := strings.ToLower(parts[n]); name {
		case "index", "readme", strings.ToLower(parts[n-1]):
			parts = parts[:n]
		}
	}
	return strings.Join(parts, "/")
}

// routed returns the sections of the file that a site shows under a path of a manual.
func routed(snap *snapshot.Snapshot, manual, at string) *roaring.Bitmap {
	first := roaring.And(snap.Keyword(RouteKey+Label(Route(at))), snap.Keyword(groupKey+manual))
	if first.IsEmpty() {
		return first
	}
	sec, _ := snap.Section(first.Minimum())
	return snap.Keyword(fileKey + sec.Group + "/" + sec.Path)
}

// above returns the folders above a file, outermost first.
func above(file string) (out []string) {
	for i, r := range file {
		if r == '/' {
			out = append(out, file[:i])
		}
	}
	return out
}

// letters returns a title without spaces and punctuation, which is what every tool keeps in an
// anchor.
func letters(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return r
		}
		return -1
	}, s)
}
