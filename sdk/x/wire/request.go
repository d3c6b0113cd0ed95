package wire

import (
	"errors"
	"fmt"
	"strings"

	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
	pb "github.com/sagasu-search/sagasu/sdk/x/wire/strategypb"
)

func packCorpus(s *snapshot.Snapshot) *pb.Corpus {
	return &pb.Corpus{Kind: string(s.Kind()), Dir: s.Dir(), Name: s.Name()}
}

func packRequest(req *sdk.Request) (*pb.SearchRequest, error) {
	if req.Corpus == nil {
		return nil, errors.New("request without a corpus")
	}
	scope, err := packBitmap(req.Scope)
	if err != nil {
		return nil, fmt.Errorf("scope: %w", err)
	}
	out := &pb.SearchRequest{
		Corpus: packCorpus(req.Corpus), Query: packQuery(req.Query),
		Scope: scope, Limit: uint32(req.Limit), Params: req.Params,
	}
	if req.Pool != nil {
		out.Pool = packCandidates(req.Pool)
	}
	return out, nil
}

// unpackRequest leaves Corpus to the caller, who knows the open snapshots.
func unpackRequest(in *pb.SearchRequest) (*sdk.Request, error) {
	scope, err := unpackBitmap(in.Scope)
	if err != nil {
		return nil, fmt.Errorf("scope: %w", err)
	}
	pool, err := unpackCandidates(in.Pool)
	if err != nil {
		return nil, fmt.Errorf("pool: %w", err)
	}
	if in.Pool != nil && pool == nil {
		pool = []sdk.Candidate{}
	}
	return &sdk.Request{Query: unpackQuery(in.Query), Scope: scope, Limit: int(in.Limit), Pool: pool, Params: in.Params}, nil
}

func packQuery(q sdk.Query) *pb.Query {
	out := &pb.Query{
		Raw: valid(q.Raw), Intent: string(q.Intent), Text: valid(q.Text),
		MatchThreshold: q.MatchThreshold,
	}
	for _, t := range q.Terms {
		out.Terms = append(out.Terms, &pb.Term{
			Text: valid(t.Text), Kind: string(t.Kind), Phrase: t.Phrase, Weight: t.Weight,
		})
	}
	return out
}

func unpackQuery(in *pb.Query) sdk.Query {
	q := sdk.Query{
		Raw: in.GetRaw(), Intent: sdk.Intent(in.GetIntent()), Text: in.GetText(),
		MatchThreshold: in.GetMatchThreshold(),
	}
	for _, t := range in.GetTerms() {
		q.Terms = append(q.Terms, sdk.Term{
			Text: t.Text, Kind: sdk.TermKind(t.Kind), Phrase: t.Phrase, Weight: t.Weight,
		})
	}
	return q
}

// valid makes s fit a proto string, which a message with other bytes cannot be.
func valid(s string) string { return strings.ToValidUTF8(s, "\uFFFD") }
