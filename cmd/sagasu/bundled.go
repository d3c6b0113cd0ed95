package main

import (
	"github.com/sagasu-search/sagasu/plugins/exceptions"
	"github.com/sagasu-search/sagasu/plugins/laterank"
	"github.com/sagasu-search/sagasu/plugins/loose"
	"github.com/sagasu-search/sagasu/plugins/normalized"
	"github.com/sagasu-search/sagasu/plugins/synonym"
	"github.com/sagasu-search/sagasu/plugins/toc"
	"github.com/sagasu-search/sagasu/sdk"
)

// bundled are the strategies inside this binary, in the order of their use.
var bundled = []struct {
	name string
	make func() sdk.Strategy
}{
	{"normalized", func() sdk.Strategy { return normalized.New() }},
	{"loose", func() sdk.Strategy { return loose.New() }},
	{"synonym", func() sdk.Strategy { return synonym.New() }},
	{"exceptions", func() sdk.Strategy { return exceptions.New() }},
	{"toc", func() sdk.Strategy { return toc.New() }},
	{"laterank", func() sdk.Strategy { return laterank.New() }},
}
