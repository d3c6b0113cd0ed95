package patents

import (
	_ "embed"

	"github.com/sagasu-search/sagasu/framework/internal/toolset"
)

//go:embed prompts/patent_search_ja.md
var promptJapanese string

//go:embed prompts/patent_search_en.md
var promptEnglish string

// prompts returns the searcher's workflow over publications.
func prompts() []toolset.Prompt {
	return []toolset.Prompt{
		{
			Name: "patent_search_ja", Title: "先行技術調査", Description: "広い検索から融合・確認まで、公報調査の手順を日本語で示す。",
			Arguments: []toolset.Variable{{Name: "invention", Description: "調べたい発明。課題と手段がわかる文。"}},
			Text:      promptJapanese,
		},
		{
			Name: "patent_search_en", Title: "Prior art search",
			Description: "The way from a wide search to a fused and checked ranking of publications.",
			Arguments: []toolset.Variable{
				{Name: "invention", Description: "The invention to search for: sentences that tell problem and means."},
			},
			Text: promptEnglish,
		},
	}
}
