package main

import (
	"slices"

	"github.com/sagasu-search/sagasu/plugins/exceptions"
	"github.com/sagasu-search/sagasu/plugins/fulltext"
	"github.com/sagasu-search/sagasu/plugins/laterank"
	"github.com/sagasu-search/sagasu/plugins/loose"
	"github.com/sagasu-search/sagasu/plugins/normalized"
	"github.com/sagasu-search/sagasu/plugins/reference"
	"github.com/sagasu-search/sagasu/plugins/rerankhttp"
	"github.com/sagasu-search/sagasu/plugins/semantic"
	"github.com/sagasu-search/sagasu/plugins/synonym"
	"github.com/sagasu-search/sagasu/plugins/toc"
	"github.com/sagasu-search/sagasu/sdk"
)

// inside is a strategy inside this binary.
type inside struct {
	name string
	make func() sdk.Strategy
	rare bool // few searches call it
}

// known is what a strategy says of itself that need not start with the others; nil
// for one that every search calls.
func (b inside) known() *sdk.Description {
	if !b.rare {
		return nil
	}
	d := b.make().Describe()
	return &d
}

// bundled are the strategies of manual searches, in the order of their use.
var bundled = []inside{
	{name: "normalized", make: func() sdk.Strategy { return normalized.New() }},
	{name: "loose", make: func() sdk.Strategy { return loose.New() }},
	{name: "synonym", make: func() sdk.Strategy { return synonym.New() }},
	{name: "exceptions", make: func() sdk.Strategy { return exceptions.New() }},
	{name: "toc", make: func() sdk.Strategy { return toc.New() }, rare: true},
	{name: "reference", make: func() sdk.Strategy { return reference.New() }, rare: true},
	{name: "laterank", make: func() sdk.Strategy { return laterank.New() }},
}

// services are the strategies of manual searches that ask a service of others. They take
// part when the user's configuration names one.
var services = []inside{
	{name: "rerankhttp", make: func() sdk.Strategy { return rerankhttp.New() }},
}

// everyInside are all strategies inside this binary.
func everyInside() []inside { return slices.Concat(bundled, services, lanes) }

// lanes are the strategies of publication searches. No search of manuals starts them.
var lanes = []inside{
	{name: "fulltext", make: func() sdk.Strategy { return fulltext.New() }},
	{name: "semantic", make: func() sdk.Strategy { return semantic.New() }},
}
