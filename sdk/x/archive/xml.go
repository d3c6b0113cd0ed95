package archive

import (
	"bytes"
	"context"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/sagasu-search/sagasu/sdk/x/charset"
)

// maxDepth is the maximum nesting depth of elements.
const maxDepth = 2000

// XML reads the tokens of a file of an archive.
type XML struct {
	ctx    context.Context
	d      *xml.Decoder
	depth  int
	tokens int
}

// XML opens an XML file in any Unicode encoding. Entity declarations are an error, and references to other
// files are never followed.
func (a *Archive) XML(ctx context.Context, name string) (*XML, error) {
	data, err := a.Read(name)
	if err != nil {
		return nil, err
	}
	text, err := charset.Decode(data, charset.Detect(data).Name)
	if err != nil {
		return nil, fmt.Errorf("%.100q is damaged: %w", name, err)
	}
	d := xml.NewDecoder(bytes.NewReader(text))
	d.Strict = false // keep unknown character entities as they are
	d.CharsetReader = func(_ string, in io.Reader) (io.Reader, error) { return in, nil }
	return &XML{ctx: ctx, d: d}, nil
}

// Next returns the next token: an [xml.StartElement], [xml.EndElement] or [xml.CharData], which is valid until the
// next call. At the end it returns [io.EOF].
func (x *XML) Next() (xml.Token, error) {
	for {
		if x.tokens++; x.tokens%1024 == 0 && x.ctx.Err() != nil {
			return nil, context.Cause(x.ctx)
		}
		token, err := x.d.Token()
		if err != nil {
			return nil, err
		}
		switch token := token.(type) {
		case xml.StartElement:
			if x.depth++; x.depth > maxDepth {
				return nil, errors.New("elements lie too deep inside each other")
			}
			return token, nil
		case xml.EndElement:
			x.depth--
			return token, nil
		case xml.CharData:
			return token, nil
		case xml.Directive:
			if bytes.Contains(token, []byte("<!ENTITY")) {
				return nil, errors.New("it declares entities, which no such document needs")
			}
		}
	}
}

// Each calls visit with each child of the element that was started last, or of the document, up to its end. It
// skips the content of elements that visit neither reads to the end nor enters.
func (x *XML) Each(visit func(e xml.StartElement) (enter bool, err error)) error {
	for floor := x.depth; ; {
		token, err := x.Next()
		if errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
		switch token := token.(type) {
		case xml.StartElement:
			depth := x.depth
			enter, err := visit(token)
			if err != nil {
				return err
			}
			if !enter && x.depth >= depth {
				err = x.Skip()
			}
			if err != nil {
				return err
			}
		case xml.EndElement:
			if x.depth < floor {
				return nil
			}
		}
	}
}

// Skip reads up to the end of the element that was started last.
func (x *XML) Skip() error {
	for floor := x.depth; ; {
		token, err := x.Next()
		if err != nil {
			return ended(err)
		}
		if _, end := token.(xml.EndElement); end && x.depth < floor {
			return nil
		}
	}
}

// Text returns the character data up to the end of the element that was started last.
func (x *XML) Text() (string, error) {
	var b strings.Builder
	for floor := x.depth; ; {
		token, err := x.Next()
		if err != nil {
			return "", ended(err)
		}
		switch token := token.(type) {
		case xml.CharData:
			b.Write(token)
		case xml.EndElement:
			if x.depth < floor {
				return b.String(), nil
			}
		}
	}
}

// ended turns [io.EOF], here the end of the file inside an element, into [io.ErrUnexpectedEOF].
func ended(err error) error {
	if errors.Is(err, io.EOF) {
		return io.ErrUnexpectedEOF
	}
	return err
}

// Attribute returns the value of an attribute by its local name, or "".
func Attribute(e xml.StartElement, name string) string {
	for _, a := range e.Attr {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}
