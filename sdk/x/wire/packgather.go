package wire

import (
	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
	pb "github.com/sagasu-search/sagasu/sdk/x/wire/strategypb"
)

func packGatherRequest(req *sdk.GatherRequest) *pb.GatherRequest {
	out := &pb.GatherRequest{
		Kind: string(req.Kind), Query: packQuery(req.Query), Terms: packTerms(req.Terms),
		Groups: req.Filter.Groups, Path: req.Filter.Path,
		Limit: uint32(req.Limit), Cursor: req.Cursor, Generation: req.Generation, Sample: req.Sample,
		Stored: req.Stored,
	}
	for _, set := range req.Filter.Keywords {
		out.Keywords = append(out.Keywords, &pb.KeywordSet{Keywords: set})
	}
	return out
}

func unpackGatherRequest(in *pb.GatherRequest) *sdk.GatherRequest {
	req := &sdk.GatherRequest{
		Kind: snapshot.Kind(in.Kind), Query: unpackQuery(in.Query), Limit: int(in.Limit),
		Filter: sdk.GatherFilter{Groups: in.Groups, Path: in.Path}, Cursor: in.Cursor, Generation: in.Generation,
		Sample: in.Sample, Stored: in.Stored, Terms: unpackTerms(in.Terms),
	}
	for _, set := range in.Keywords {
		req.Filter.Keywords = append(req.Filter.Keywords, set.Keywords)
	}
	return req
}

func packTerms(terms []sdk.GatherTerm) (out []*pb.GatherTerm) {
	for _, t := range terms {
		out = append(out, &pb.GatherTerm{Text: t.Text, Weight: t.Weight, Slot: int32(t.Slot)})
	}
	return out
}

func unpackTerms(terms []*pb.GatherTerm) (out []sdk.GatherTerm) {
	for _, t := range terms {
		out = append(out, sdk.GatherTerm{Text: t.Text, Weight: t.Weight, Slot: int(t.Slot)})
	}
	return out
}

func packGathered(g *sdk.Gathered) *pb.Gathered {
	out := &pb.Gathered{
		Total: int64(g.Total), Exact: g.Exact, Answered: int32(g.Answered), Expected: int32(g.Expected),
		Generation: g.Generation, Cursor: g.Cursor, Stored: g.Stored,
		Statistics: &pb.Statistics{
			Sections: int64(g.Statistics.Sections), Lengths: g.Statistics.Lengths,
			DocumentFrequencies: make(map[string]int64, len(g.Statistics.DocFreqs)),
		},
	}
	for term, n := range g.Statistics.DocFreqs {
		out.Statistics.DocumentFrequencies[term] = int64(n)
	}
	for i := range g.Sections {
		s := &g.Sections[i]
		out.Sections = append(out.Sections, &pb.GatheredSection{
			Key: s.Key, Group: s.Section.Group, Path: s.Section.Path, Title: s.Section.Title,
			Node: uint32(s.Section.Node), Level: int32(s.Section.Level), Start: int32(s.Section.Start),
			End: int32(s.Section.End), OwnEnd: int32(s.Section.OwnEnd), Body: int32(s.Section.Body),
			Fields: s.Fields, Keywords: s.Keywords, Score: s.Score,
		})
	}
	return out
}

func unpackGathered(in *pb.Gathered) *sdk.Gathered {
	stats := in.GetStatistics()
	g := &sdk.Gathered{
		Total: int(in.Total), Exact: in.Exact, Answered: int(in.Answered), Expected: int(in.Expected),
		Generation: in.Generation, Cursor: in.Cursor, Stored: in.Stored,
		Statistics: snapshot.Statistics{
			Sections: int(stats.GetSections()), Lengths: stats.GetLengths(),
			DocFreqs: make(map[string]int, len(stats.GetDocumentFrequencies())),
		},
	}
	for term, n := range stats.GetDocumentFrequencies() {
		g.Statistics.DocFreqs[term] = int(n)
	}
	for _, s := range in.Sections {
		g.Sections = append(g.Sections, sdk.GatheredSection{
			Key: s.Key, Section: snapshot.Section{
				Group: s.Group, Path: s.Path, Title: s.Title, Node: snapshot.NodeKind(min(s.Node, noNode)),
				Level: int(s.Level), Start: int(s.Start), End: int(s.End), OwnEnd: int(s.OwnEnd), Body: int(s.Body),
				Parent: snapshot.None,
			},
			Fields: s.Fields, Keywords: s.Keywords, Score: s.Score,
		})
	}
	return g
}

// noNode is not a [snapshot.NodeKind].
const noNode = 255
