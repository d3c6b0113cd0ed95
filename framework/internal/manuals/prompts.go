package manuals

import (
	"embed"

	"github.com/sagasu-search/sagasu/framework/internal/toolset"
)

//go:embed prompts
var promptTexts embed.FS

// prompts returns what users ask of manuals most, each in Japanese and English.
func (l *Library) prompts() []toolset.Prompt {
	manual := func(description string, optional bool) toolset.Variable {
		return toolset.Variable{Name: ofManual, Description: description, Optional: optional, Values: l.manualIDs}
	}
	section := func(name, description string) toolset.Variable {
		return toolset.Variable{Name: name, Description: description, Values: l.places}
	}
	prompts := []toolset.Prompt{
		{
			Name: "cited_answer_ja", Title: "出典つきの回答", Description: "質問に答え、文ごとにファイルと行を示す。",
			Arguments: []toolset.Variable{
				{Name: "question", Description: "質問。"}, manual("探すマニュアル。省けばすべて。", true),
			},
		},
		{
			Name: "cited_answer_en", Title: "Answer with citations",
			Description: "Answers a question, with file and line for every statement.",
			Arguments: []toolset.Variable{
				{Name: "question", Description: "The question."},
				manual("The manual to search; all when not given.", true),
			},
		},
		{
			Name: "all_exceptions_ja", Title: "例外の一覧", Description: "ある事柄の例外、除外、注意をすべて表にする。",
			Arguments: []toolset.Variable{
				{Name: "topic", Description: "事柄。「保証」「返品」など。"}, manual("探すマニュアル。省けばすべて。", true),
			},
		},
		{
			Name: "all_exceptions_en", Title: "List all exceptions",
			Description: "Lists every exception, exclusion and warning on a topic in a table.",
			Arguments: []toolset.Variable{
				{Name: "topic", Description: "The topic, such as warranty or returns."},
				manual("The manual to search; all when not given.", true),
			},
		},
		{
			Name: "compare_sections_ja", Title: "二つの節の比較", Description: "一致、相違、矛盾を出典つきの表にする。",
			Arguments: []toolset.Variable{
				manual("マニュアル。", false), section("first", "一つ目の節の見出し。"), section("second", "二つ目の節の見出し。"),
				{Name: "aspect", Description: "特に見る点。", Optional: true},
			},
		},
		{
			Name: "compare_sections_en", Title: "Compare two sections",
			Description: "Shows in a table where two sections agree, differ and contradict each other.",
			Arguments: []toolset.Variable{
				manual("The manual.", false), section("first", "The heading of the first section."),
				section("second", "The heading of the second section."),
				{Name: "aspect", Description: "What to look at above all.", Optional: true},
			},
		},
	}
	for i, p := range prompts {
		text, err := promptTexts.ReadFile("prompts/" + p.Name + ".md")
		if err != nil {
			panic("manuals: " + err.Error()) // the files are compiled in, which tests read
		}
		prompts[i].Text = string(text)
	}
	return prompts
}
