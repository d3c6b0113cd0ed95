package main

import (
	"github.com/sagasu-search/sagasu/plugins/loose"
	"github.com/sagasu-search/sagasu/plugins/normalized"
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
	{"toc", func() sdk.Strategy { return toc.New() }},
}
