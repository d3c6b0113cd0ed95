package main

import (
	"github.com/sagasu-search/sagasu/plugins/exceptions"
	"github.com/sagasu-search/sagasu/plugins/fulltext"
	"github.com/sagasu-search/sagasu/plugins/laterank"
	"github.com/sagasu-search/sagasu/plugins/loose"
	"github.com/sagasu-search/sagasu/plugins/normalized"
	"github.com/sagasu-search/sagasu/plugins/semantic"
	"github.com/sagasu-search/sagasu/plugins/synonym"
	"github.com/sagasu-search/sagasu/plugins/toc"
	"github.com/sagasu-search/sagasu/sdk"
)

// inside is a strategy inside this binary.
type inside struct {
	name string
	make func() sdk.Strategy
}

// bundled are the strategies of manual searches, in the order of their use.
var bundled = []inside{
	{"normalized", func() sdk.Strategy { return normalized.New() }},
	{"loose", func() sdk.Strategy { return loose.New() }},
	{"synonym", func() sdk.Strategy { return synonym.New() }},
	{"exceptions", func() sdk.Strategy { return exceptions.New() }},
	{"toc", func() sdk.Strategy { return toc.New() }},
	{"laterank", func() sdk.Strategy { return laterank.New() }},
}

// lanes are the strategies of publication searches. No search of manuals starts them.
var lanes = []inside{
	{"fulltext", func() sdk.Strategy { return fulltext.New() }},
	{"semantic", func() sdk.Strategy { return semantic.New() }},
}
