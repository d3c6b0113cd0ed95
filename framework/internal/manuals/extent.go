package manuals

import (
	"context"
	"sort"
	"unicode/utf8"

	"github.com/sagasu-search/sagasu/framework/internal/corpus"
	"github.com/sagasu-search/sagasu/framework/internal/rootfs"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
)

// extent is the part of a document that a ref points to.
type extent struct {
	*document
	scope     string
	begin     int  // first line of its section; 0 if it is no section
	from, end int  // bytes
	more      bool // more sections follow than fit into one reply
	at        int  // of a file, the byte where the line that the ref means starts
	// narrow, if not nil, returns the n code points to show of a longer snippet, or of a file whose first n do not
	// reach at.
	narrow func(n int) (from, end int)
}

// opener opens a file of a manual.
type opener func(ctx context.Context, id corpus.ManualID, path rootfs.Path) (*document, error)

// extent finds what a ref points to.
func (l *Library) extent(ctx context.Context, open opener, ref Ref, args ReadArgs) (*extent, error) {
	d, err := open(ctx, ref.ManualID, ref.Path)
	if err != nil {
		return nil, nameRef(err)
	}
	scope, err := l.scope(d, args)
	if err != nil {
		return nil, err
	}
	line, err := d.refLine(ref, scope)
	if err != nil {
		return nil, err
	}
	pointer, err := d.pointer(ref)
	switch {
	case err != nil:
		return nil, err
	case scope == scopeSnippet:
		return d.snippet(line, pointer, args.Expand), nil
	case scope == scopeFile:
		return d.file(line, pointer), nil
	}
	return d.section(scope, line)
}

// goOn moves the start of an extent to a character of its file, and returns the mode of reading from there. If the
// character is after the extent's end, the extent reaches to the end of the file.
func (x *extent) goOn(chars int) (mode string, err error) {
	at, err := x.offset(chars)
	if err != nil {
		return "", err
	}
	if at < x.from {
		return "", toolset.Invalid("cursor.char_offset", chars, "the one of next_cursor: this lies before the ref")
	}
	if at >= x.end && x.more {
		sections := x.sections()
		last, more := siblings(sections, corpus.SectionAt(sections, x.begin), x.lines.At(at))
		x.end, x.more = x.lines.Start(last.End+1), more
	}
	mode = modeRead
	if at >= x.end {
		mode, x.end = modeScanFallback, len(x.text)
	}
	x.from, x.narrow = at, nil
	return mode, nil
}

// head returns the first n code points of an extent, or those around the line that is meant if that lies behind them.
// Of a snippet, they are around its line in any case.
func (x *extent) head(n int) piece {
	end := corpus.Forward(x.text, x.from, n)
	switch {
	case end >= x.end:
		return x.cut(x.from, x.end)
	case x.narrow != nil && (x.at == 0 || x.at >= end):
		return x.cut(x.narrow(n))
	}
	return x.cut(x.from, corpus.LastBreak(x.text, x.from, end))
}

// cutBy reports whether a piece lacks part of the extent.
func (x *extent) cutBy(p piece) bool { return p.from > x.from || p.end < x.end || x.more }

// shown returns the text of a piece as it appears in a reply.
func (x *extent) shown(p piece, args ReadArgs) string {
	if args.LineNumbers {
		return x.lines.Number(x.text, p.from, p.end)
	}
	return p.text
}

// attempt is a reply with a piece of an extent.
type attempt struct {
	*Reading
	piece piece
}

// longest returns the reply with the largest part of an extent that fits the limits of args, line numbers included, but
// at least one character. If max_tokens or line numbers cut it, it contains only whole lines, if there are any. It
// returns false and the shortest reply if even that costs too much.
func (x *extent) longest(args ReadArgs, reply func(piece) *Reading) (attempt, bool) {
	try := func(n int) attempt { p := x.head(n); return attempt{reply(p), p} }
	within := func(a attempt) bool {
		return a.fits(args.MaxTokens) && (!args.LineNumbers || x.length(a.piece, args) <= args.MaxChars)
	}
	all := try(args.MaxChars)
	if within(all) {
		return all, true
	}
	n := sort.Search(args.MaxChars, func(n int) bool { return !within(try(n + 1)) })
	if n == 0 {
		least := try(1)
		return least, least.fits(args.MaxTokens)
	}
	best := try(n)
	if line := x.lines.Start(x.lines.At(best.piece.end)); x.narrow == nil && line > best.piece.from {
		p := x.cut(best.piece.from, line)
		best = attempt{reply(p), p}
	}
	return best, true
}

// length returns how many characters of a piece a reply shows.
func (x *extent) length(p piece, args ReadArgs) int { return utf8.RuneCountInString(x.shown(p, args)) }

// fits reports whether a reply costs at most so many tokens; 0 means any number.
func (r *Reading) fits(most int) bool { return most == 0 || toolset.Cost(r) <= most }
