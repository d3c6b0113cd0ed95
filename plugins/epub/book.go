package epub

import (
	"context"
	"encoding/xml"
	"errors"
	"net/url"
	"path"
	"slices"
	"strings"

	"github.com/sagasu-search/sagasu/sdk/x/archive"
	"github.com/sagasu-search/sagasu/sdk/x/webpage"
)

// book is the content of a book's package document.
type book struct {
	title    string
	chapters []chapter
	titles   map[string]map[string]webpage.Title // by path and fragment
}

// chapter is a page of a book in reading order.
type chapter struct {
	name string // as written in the book
	path string // in the archive
}

// item is a file that belongs to a book.
type item struct {
	path, name, mediaType string
}

// maxChapters is the maximum number of pages of a book.
const maxChapters = 5000

func open(ctx context.Context, files *archive.Archive) (*book, error) {
	opf, err := packagePath(ctx, files)
	if err != nil {
		return nil, err
	}
	x, err := files.XML(ctx, opf)
	if err != nil {
		return nil, errNoBook
	}
	b := &book{titles: map[string]map[string]webpage.Title{}}
	items := map[string]item{}
	var contents item
	err = x.Each(func(e xml.StartElement) (bool, error) {
		id := archive.Attribute(e, "id")
		switch e.Name.Local {
		case "title":
			text, err := x.Text()
			if b.title == "" {
				b.title = strings.Join(strings.Fields(text), " ")
			}
			return false, err
		case "item":
			name := decoded(archive.Attribute(e, "href"))
			it := item{path.Join(path.Dir(opf), name), name, archive.Attribute(e, "media-type")}
			items[id] = it
			isNav := slices.Contains(strings.Fields(archive.Attribute(e, "properties")), "nav")
			if isNav || contents.path == "" && it.mediaType == "application/x-dtbncx+xml" {
				contents = it
			}
		case "itemref":
			it := items[archive.Attribute(e, "idref")]
			if isPage(it.mediaType) && len(b.chapters) < maxChapters {
				b.chapters = append(b.chapters, chapter{it.name, it.path})
			}
		}
		return true, nil
	})
	if err != nil && ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	if err != nil || len(b.chapters) == 0 {
		return nil, errNoBook
	}
	if contents.path != "" {
		if err := b.readContents(ctx, files, contents.path); err != nil && ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
	}
	return b, b.encrypted(ctx, files)
}

func packagePath(ctx context.Context, files *archive.Archive) (found string, err error) {
	x, err := files.XML(ctx, "META-INF/container.xml")
	if err != nil {
		return "", errNoBook
	}
	err = x.Each(func(e xml.StartElement) (bool, error) {
		if e.Name.Local == "rootfile" && found == "" {
			found = archive.Attribute(e, "full-path")
		}
		return true, nil
	})
	if err != nil || found == "" {
		return "", errNoBook
	}
	return found, nil
}

// decoded resolves the escapes in a reference of a book.
func decoded(href string) string {
	if plain, err := url.PathUnescape(href); err == nil {
		return plain
	}
	return href
}

// readContents reads the titles from a table of contents: the navigation document of EPUB 3, or the NCX of EPUB 2.
func (b *book) readContents(ctx context.Context, files *archive.Archive, name string) error {
	x, err := files.XML(ctx, name)
	if err != nil {
		return err
	}
	level, text := 0, ""
	add := func(target string) {
		file, fragment, _ := strings.Cut(decoded(target), "#")
		at := path.Join(path.Dir(name), file)
		if b.titles[at] == nil {
			b.titles[at] = map[string]webpage.Title{}
		}
		if _, found := b.titles[at][fragment]; !found && text != "" {
			b.titles[at][fragment] = webpage.Title{Text: text, Level: min(max(level, 1), 6)}
		}
	}
	var visit func(e xml.StartElement) (enter bool, err error)
	visit = func(e xml.StartElement) (enter bool, err error) {
		switch e.Name.Local {
		case "nav":
			return archive.Attribute(e, "type") == "toc", nil
		case "pageList", "navList", "docTitle", "docAuthor", "head":
			return false, nil
		case "ol", "navPoint":
			level++
			err = x.Each(visit)
			level--
		case "text":
			text, err = x.Text()
			text = strings.Join(strings.Fields(text), " ")
		case "content":
			add(archive.Attribute(e, "src"))
		case "a":
			text, err = x.Text()
			text = strings.Join(strings.Fields(text), " ")
			add(archive.Attribute(e, "href"))
		}
		return err == nil, err
	}
	return x.Each(visit)
}

// encrypted returns an error if a chapter is encrypted. Fonts often are, to prevent copying.
func (b *book) encrypted(ctx context.Context, files *archive.Archive) error {
	x, err := files.XML(ctx, "META-INF/encryption.xml")
	if err != nil {
		return nil
	}
	locked := map[string]bool{}
	if err := x.Each(func(e xml.StartElement) (bool, error) {
		if e.Name.Local == "CipherReference" {
			locked[path.Clean(decoded(archive.Attribute(e, "URI")))] = true
		}
		return true, nil
	}); err != nil {
		return err
	}
	for _, ch := range b.chapters {
		if locked[ch.path] {
			return errors.New("the book is encrypted against copying (DRM)")
		}
	}
	return nil
}
