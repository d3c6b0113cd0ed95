package wire

import (
	"bytes"
	"slices"

	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
	pb "github.com/sagasu-search/sagasu/sdk/x/wire/strategypb"
)

func packDescription(d sdk.Description) *pb.Description {
	out := &pb.Description{
		Name: d.Name, Version: d.Version, Stage: string(d.Stage),
		Signals: slices.Clone(d.Signals), Weight: d.Weight, ConfigSchema: d.ConfigSchema,
	}
	for _, kind := range d.Corpora {
		out.Corpora = append(out.Corpora, string(kind))
	}
	return out
}

func unpackDescription(in *pb.Description) sdk.Description {
	d := sdk.Description{
		Name: in.Name, Version: in.Version, Stage: sdk.Stage(in.Stage),
		Signals: in.Signals, Weight: in.Weight, ConfigSchema: bytes.Clone(in.ConfigSchema),
	}
	for _, kind := range in.Corpora {
		d.Corpora = append(d.Corpora, snapshot.Kind(kind))
	}
	return d
}
