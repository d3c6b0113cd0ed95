package toolset

import (
	"context"
	"net/url"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/sagasu-search/sagasu/sdk/text"
)

// Resources are the files of a product that clients read by URI: a scheme, the segments of a path and optionally a
// section, as in manual://aoba-nas/06-disk-raid.md#L12.
type Resources struct {
	// Tool is the name of the tool whose rules Read follows. If it is switched off, so are the resources.
	Tool                     string
	Name, Title, Description string
	Scheme                   string
	// Template is the RFC 6570 template of the URIs, containing Variables.
	Template  string
	Variables []Variable
	Read      func(ctx context.Context, at Address) (*Content, error)
	// List returns the first n files after the path after, in a fixed order; "" means from the first.
	List func(ctx context.Context, after string, n int) ([]Resource, error)
}

// Resource is a file that can be read as a resource.
type Resource struct {
	Path     string // as in an [Address]
	MIMEType string
	Size     int64 // in bytes
}

// Content is the text of a resource, cut if it is too long.
type Content struct {
	MIMEType, Text string
	Lines          Range
	TotalLines     int // of the file
	// Rest is the call that continues if Text is incomplete, or nil.
	Rest *Action
}

// Address is what the URI of a resource names, without escapes.
type Address struct {
	Path    string // segments, joined by slashes; none is empty, "." or ".."
	Section string // "L" and a line of the section, or its title; "" for the whole file
}

// maxURI is the maximum length in bytes of a URI of a resource.
const maxURI = 8192

// ParseURI parses the URI of a resource.
func ParseURI(uri string) (scheme string, at Address, err error) {
	refuse := func(problem string) (string, Address, error) {
		return "", Address{}, Errorf(InvalidPath, "%q is no URI of a resource: %s; resources/list has some, such as "+
			"manual://guide/setup.md#L12", Shorten(uri), problem).Argument("uri", uri, "a URI as listed")
	}
	scheme, rest, ok := strings.Cut(uri, "://")
	path, section, _ := strings.Cut(rest, "#")
	switch {
	case !ok:
		return refuse("it has no scheme")
	case len(uri) > maxURI:
		return refuse("it is too long")
	}
	segments := strings.Split(path, "/")
	for i, escaped := range segments {
		s, problem := unescape(escaped)
		switch {
		case problem != "":
		case s == "":
			problem = "a part of its path is empty"
		case s == "." || s == "..":
			problem = "its path holds . or .."
		case strings.ContainsAny(s, `/\`):
			problem = "its path holds an escaped slash, or a backslash"
		}
		if problem != "" {
			return refuse(problem)
		}
		segments[i] = s
	}
	section, problem := unescape(section)
	if problem != "" {
		return refuse(problem)
	}
	return strings.ToLower(scheme), Address{strings.Join(segments, "/"), section}, nil
}

// unescape decodes a part of a URI, or returns what is wrong with it.
func unescape(escaped string) (s, problem string) {
	s, err := url.PathUnescape(escaped)
	switch {
	case err != nil:
		return "", "a % must begin an escape, as %25 for itself"
	case !utf8.ValidString(s):
		return "", "it is not UTF-8"
	case strings.ContainsFunc(s, unicode.IsControl):
		return "", "it holds NUL or a control character"
	}
	return s, ""
}

// URI returns the URI of an address.
func (a Address) URI(scheme string) string {
	segments := strings.Split(a.Path, "/")
	for i, s := range segments {
		segments[i] = escape(s)
	}
	uri := scheme + "://" + strings.Join(segments, "/")
	if a.Section != "" {
		uri += "#" + escape(a.Section)
	}
	return uri
}

// escape escapes everything except letters, digits and -._~, which no reader of URIs interprets.
func escape(s string) string { return strings.ReplaceAll(url.QueryEscape(s), "+", "%20") }

// Place returns the line or the title that names the section, or neither for the whole file.
func (a Address) Place() (line int, title string) {
	if digits, ok := strings.CutPrefix(a.Section, "L"); ok {
		if n, err := strconv.ParseUint(digits, 10, 31); err == nil && n > 0 {
			return int(n), ""
		}
	}
	return 0, a.Section
}

// Address returns the address of the target of a ref. Its scheme is r.Target.
func (r Ref) Address() Address {
	at := Address{Path: r.Path}
	if r.ManualID != "" {
		at.Path = r.ManualID + "/" + r.Path
	}
	if r.StartLine > 0 {
		at.Section = "L" + strconv.Itoa(r.StartLine)
	}
	return at
}

// Variable is a value that the user of a client fills in, of a prompt or of a resource's URI.
type Variable struct {
	Name, Description string
	Optional          bool
	// Values, if not nil, lists possible values, given the arguments that are already known.
	Values func(ctx context.Context, given map[string]string) ([]string, error)
}

// Complete returns at most n of the values that begin with what was typed, followed by those that contain it, and their
// total number. It ignores width, case and other spelling variants.
func Complete(typed string, values []string, n int) (best []string, total int) {
	want := text.Fold(typed)
	best = []string{}
	var within []string
	for _, v := range values {
		switch at := strings.Index(text.Fold(v), want); {
		case at == 0:
			best = append(best, v)
		case at > 0:
			within = append(within, v)
		}
	}
	best = append(best, within...)
	return best[:min(n, len(best))], len(best)
}
