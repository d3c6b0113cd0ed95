package wire

import (
	"bytes"
	"context"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/hashicorp/go-hclog"
	"google.golang.org/grpc"

	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/x/border"
	pb "github.com/sagasu-search/sagasu/sdk/x/wire/strategypb"
)

// reader is a converter that reads its document.
type reader struct{ sdk.Converter }

func (reader) Convert(_ context.Context, doc sdk.Document) (*sdk.Converted, error) {
	_, err := io.Copy(io.Discard, io.NewSectionReader(doc.Content, 0, doc.Size))
	return &sdk.Converted{}, err
}

func TestDocumentThatBecameShorterIsNotWaitedFor(t *testing.T) {
	client := connectTo(t, NewConverterServer(reader{}, hclog.NewNullLogger(), ""))
	for _, left := range []int{0, 10, partBytes, partBytes + 10} {
		doc := sdk.Document{Content: bytes.NewReader(make([]byte, left)), Size: 2 * partBytes}
		if _, err := client.Convert(t.Context(), doc); !errors.Is(err, io.ErrUnexpectedEOF) {
			t.Errorf("of %d bytes there were %d, which gave %v", doc.Size, left, err)
		}
	}
}

// flooding is the service of a converter that sends the same part again and again.
type flooding struct {
	pb.ConverterServer
	part  *pb.ConvertedPart
	times int
}

func (f flooding) Register(to grpc.ServiceRegistrar) { pb.RegisterConverterServer(to, f) }

func (flooding) Close() error { return nil }

func (f flooding) Convert(stream grpc.ServerStream) error {
	for range f.times {
		if err := stream.SendMsg(f.part); err != nil {
			return err
		}
	}
	return nil
}

func TestTextThatIsTooLargeIsNotKept(t *testing.T) {
	long := strings.Repeat("x", 1<<18)
	flood := flooding{times: border.MaxText/len(long)/3 + 1, part: &pb.ConvertedPart{
		Blocks:   []*pb.Block{{Place: &pb.Place{Anchor: long}}},
		Problems: []*pb.Problem{{Place: &pb.Place{Sheet: long}, Reason: long}},
	}}
	client := connectTo(t, flood)
	if _, err := client.Convert(t.Context(), sdk.Document{Content: strings.NewReader("")}); !errors.Is(err, ErrTooLarge) {
		t.Errorf("places and reasons without end gave %v", err)
	}
}
