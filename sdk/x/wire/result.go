package wire

import (
	"fmt"
	"math"
	"strings"

	"github.com/sagasu-search/sagasu/sdk"
	pb "github.com/sagasu-search/sagasu/sdk/x/wire/strategypb"
)

// packResult keeps no reference to memory of the snapshot.
func packResult(res *sdk.Result) (*pb.SearchResponse, error) {
	matched, err := packBitmap(res.Matched)
	if err != nil {
		return nil, fmt.Errorf("matched: %w", err)
	}
	out := &pb.SearchResponse{
		Candidates: packCandidates(res.Candidates), Matched: matched,
		Examined: uint64(max(res.Examined, 0)), Finished: res.Finished,
		Confidence: res.Confidence,
	}
	for _, w := range res.Warnings {
		out.Warnings = append(out.Warnings, strings.Clone(valid(w)))
	}
	return out, nil
}

func unpackResult(in *pb.SearchResponse) (*sdk.Result, error) {
	candidates, err := unpackCandidates(in.Candidates)
	if err != nil {
		return nil, err
	}
	matched, err := unpackBitmap(in.Matched)
	if err != nil {
		return nil, fmt.Errorf("matched: %w", err)
	}
	return &sdk.Result{
		Candidates: candidates, Matched: matched,
		Examined: int(min(in.Examined, math.MaxInt32)), Finished: in.Finished,
		Warnings: in.Warnings, Confidence: in.Confidence,
	}, nil
}
