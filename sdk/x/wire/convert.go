package wire

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"unicode"

	"github.com/hashicorp/go-hclog"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/types/known/emptypb"

	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/x/border"
	pb "github.com/sagasu-search/sagasu/sdk/x/wire/strategypb"
)

// partBytes is the maximum size of a message with part of a document or of its text.
const partBytes = 256 << 10

// UnreadableError is a converter's reason why it cannot read a document.
type UnreadableError struct{ Reason string }

// Error implements error.
func (e *UnreadableError) Error() string { return e.Reason }

// ConverterServer answers the protocol with a converter.
type ConverterServer struct {
	*calls
	converter sdk.Converter
}

// NewConverterServer returns a server; Close it when its transport has stopped.
func NewConverterServer(converter sdk.Converter, logger hclog.Logger, stateDir string) *ConverterServer {
	return &ConverterServer{newCalls(logger, stateDir), converter}
}

// Register implements [Service].
func (s *ConverterServer) Register(to grpc.ServiceRegistrar) { pb.RegisterConverterServer(to, s) }

// Close implements [Service].
func (s *ConverterServer) Close() error {
	s.end()
	return closeAuthor(s.converter)
}

// DescribeConverter implements the protocol.
func (s *ConverterServer) DescribeConverter(
	context.Context, *emptypb.Empty,
) (out *pb.ConverterDescription, err error) {
	err = s.call(func() error {
		d := s.converter.DescribeConverter()
		out = &pb.ConverterDescription{
			Name: valid(d.Name), Version: valid(d.Version), Summary: valid(d.Summary), License: valid(d.License),
			Sdk: sdkVersion(),
		}
		for _, f := range d.Formats {
			out.Formats = append(out.Formats, &pb.Format{MediaType: valid(f.MediaType), Extensions: f.Extensions})
		}
		return nil
	})
	return out, err
}

// Convert implements the protocol.
func (s *ConverterServer) Convert(stream grpc.ServerStream) error {
	return s.call(func() error {
		file, err := os.CreateTemp("", "document-")
		if err != nil {
			return err
		}
		defer os.Remove(file.Name())
		defer file.Close()
		doc, err := receiveDocument(stream, file)
		if err != nil {
			return err
		}
		out, err := s.converter.Convert(sdk.WithSurroundings(stream.Context(), s.logger, s.stateDir), doc)
		if err == nil && out == nil {
			err = errors.New("the converter gave neither text nor error")
		}
		if err != nil {
			return err
		}
		return sendConverted(stream, out)
	})
}

// receiveDocument writes the received document to a file.
func receiveDocument(stream grpc.ServerStream, file *os.File) (doc sdk.Document, err error) {
	for first, size := true, int64(0); ; first = false {
		part := new(pb.DocumentPart)
		err := stream.RecvMsg(part)
		switch {
		case errors.Is(err, io.EOF) && !first && size == doc.Size:
			return doc, nil
		case errors.Is(err, io.EOF):
			return doc, fmt.Errorf("of a document of %d bytes came %d", doc.Size, size)
		case err != nil:
			return doc, err
		case first:
			doc = sdk.Document{Name: part.Name, MediaType: part.MediaType, Content: file, Size: part.Size}
		}
		if _, err := file.Write(part.Content); err != nil {
			return doc, err
		}
		size += int64(len(part.Content))
	}
}

// sendConverted sends a text in parts.
func sendConverted(stream grpc.ServerStream, c *sdk.Converted) error {
	out, size := &pb.ConvertedPart{Title: plainLine(c.Title), Encoding: plainLine(c.Encoding)}, 0
	add := func(n int) error {
		if size += n; size < partBytes {
			return nil
		}
		err := stream.SendMsg(out)
		out, size = new(pb.ConvertedPart), 0
		return err
	}
	for i := range c.Blocks {
		b := &c.Blocks[i]
		next := &pb.Block{Level: uint32(b.Level), Heading: plainLine(b.Heading), Place: packPlace(b.Place)}
		if next.Heading == "" { // a heading without a letter is not a heading
			next.Level = 0
		}
		for rest := valid(b.Text); ; {
			n := charBoundary(rest, partBytes)
			next.Text, rest = rest[:n], rest[n:]
			out.Blocks = append(out.Blocks, next)
			if err := add(len(next.Text) + len(next.Heading) + 32); err != nil {
				return err
			}
			if rest == "" {
				break
			}
			next = &pb.Block{Continued: true}
		}
	}
	for _, p := range c.Problems {
		out.Problems = append(out.Problems, &pb.Problem{Place: packPlace(p.Place), Reason: plainLine(p.Reason)})
		if err := add(len(p.Reason) + 32); err != nil {
			return err
		}
	}
	return stream.SendMsg(out)
}

// plainLine returns a text on one line without invisible characters, since headings in documents may contain marks and
// line breaks.
func plainLine(s string) string {
	return strings.Join(strings.Fields(strings.Map(func(r rune) rune {
		switch {
		case unicode.IsControl(r) || unicode.IsSpace(r):
			return ' '
		case !unicode.IsGraphic(r):
			return -1
		}
		return r
	}, valid(s))), " ")
}

// charBoundary returns the last character boundary at or before limit.
func charBoundary(s string, limit int) int {
	if len(s) <= limit {
		return len(s)
	}
	for limit > 0 && s[limit]&0xC0 == 0x80 {
		limit--
	}
	return limit
}

func packPlace(p sdk.Place) *pb.Place {
	if p == (sdk.Place{}) {
		return nil
	}
	return &pb.Place{Page: uint32(p.Page), Anchor: plainLine(p.Anchor), Sheet: plainLine(p.Sheet)}
}

func unpackPlace(p *pb.Place) sdk.Place {
	return sdk.Place{Page: int(p.GetPage()), Anchor: p.GetAnchor(), Sheet: p.GetSheet()}
}

// ErrNoConverter means that the process serves no converter.
var ErrNoConverter = errors.New("the process serves no converter of documents")

// DescribeConverter returns the description of the converter, or [ErrNoConverter].
func (c *Client) DescribeConverter(ctx context.Context) (sdk.ConverterDescription, error) {
	in, err := pb.Call[pb.ConverterDescription](ctx, c.conn, "Converter/DescribeConverter", &emptypb.Empty{})
	if status.Code(err) == codes.Unimplemented {
		return sdk.ConverterDescription{}, ErrNoConverter
	}
	if err != nil {
		return sdk.ConverterDescription{}, fromStatus(err)
	}
	out := sdk.ConverterDescription{
		Name: in.Name, Version: in.Version, Summary: in.Summary, License: in.License, SDK: in.Sdk,
	}
	for _, f := range in.Formats {
		out.Formats = append(out.Formats, sdk.Format{MediaType: f.GetMediaType(), Extensions: f.GetExtensions()})
	}
	return out, nil
}

// Convert sends a document. The result is well formed, but not yet checked. Errors are as for the other calls, or
// [*UnreadableError].
func (c *Client) Convert(ctx context.Context, doc sdk.Document) (*sdk.Converted, error) {
	ctx, cancel := context.WithCancel(ctx) // ends the stream in any case
	defer cancel()
	stream, err := pb.Stream(ctx, c.conn, "Converter/Convert")
	if err != nil {
		return nil, fromStatus(err)
	}
	if err := sendDocument(stream, doc); err != nil && !errors.Is(err, io.EOF) { // at EOF, the answer has the reason
		return nil, err
	}
	out, err := receiveConverted(stream)
	if status.Code(err) == codes.Unknown {
		return nil, &UnreadableError{fromStatus(err).Error()}
	}
	if err != nil {
		return nil, fromStatus(err)
	}
	return out, nil
}

// sendDocument sends a document in parts.
func sendDocument(stream grpc.ClientStream, doc sdk.Document) error {
	part := &pb.DocumentPart{Name: valid(doc.Name), MediaType: doc.MediaType, Size: doc.Size}
	buffer := make([]byte, min(doc.Size, partBytes))
	for at := int64(0); ; {
		part.Content = buffer[:min(doc.Size-at, partBytes)]
		if n, err := doc.Content.ReadAt(part.Content, at); n < len(part.Content) {
			if errors.Is(err, io.EOF) { // which would mean that the stream ended
				err = io.ErrUnexpectedEOF
			}
			return fmt.Errorf("read the document: %w", err)
		}
		if err := stream.SendMsg(part); err != nil {
			return err
		}
		if at += int64(len(part.Content)); at == doc.Size {
			return stream.CloseSend()
		}
		part = new(pb.DocumentPart)
	}
}

// receiveConverted joins the parts of a text, up to the limit of the border. The error is that of the stream.
func receiveConverted(stream grpc.ClientStream) (*sdk.Converted, error) {
	out := new(sdk.Converted)
	size, beside := 0, 0     // bytes of the text, and of all else
	var long strings.Builder // continuation of the last block's text
	finish := func() {
		if long.Len() > 0 {
			out.Blocks[len(out.Blocks)-1].Text += long.String()
			long.Reset()
		}
	}
	for {
		in := new(pb.ConvertedPart)
		err := stream.RecvMsg(in)
		if errors.Is(err, io.EOF) {
			finish()
			return out, nil
		}
		if err != nil {
			return nil, err
		}
		out.Title, out.Encoding = cmp.Or(out.Title, in.Title), cmp.Or(out.Encoding, in.Encoding)
		beside += len(in.Title) + len(in.Encoding)
		for _, b := range in.Blocks {
			size += len(b.GetText()) + len(b.GetHeading())
			beside += len(b.GetPlace().GetAnchor()) + len(b.GetPlace().GetSheet())
			if b.GetContinued() && len(out.Blocks) > 0 {
				long.WriteString(b.GetText())
				continue
			}
			finish()
			out.Blocks = append(out.Blocks, sdk.Block{
				Level: int(b.GetLevel()), Heading: b.GetHeading(), Text: b.GetText(), Place: unpackPlace(b.GetPlace()),
			})
		}
		for _, p := range in.Problems {
			beside += len(p.GetPlace().GetAnchor()) + len(p.GetPlace().GetSheet()) + len(p.GetReason())
			out.Problems = append(out.Problems, sdk.Problem{Place: unpackPlace(p.GetPlace()), Reason: p.GetReason()})
		}
		if max(size, beside) > border.MaxText || len(out.Blocks) > border.MaxBlocks ||
			len(out.Problems) > border.MaxProblems {
			return nil, status.Error(codes.ResourceExhausted, "the text of a document")
		}
	}
}
