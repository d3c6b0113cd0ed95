package manuals

import (
	"embed"

	"github.com/sagasu-search/sagasu/framework/internal/toolset"
)

//go:embed prompts
var promptTexts embed.FS

// prompts returns the most common requests about manuals, each in Japanese and English.
func (l *Library) prompts() []toolset.Prompt {
	words := func(name, description string) toolset.Variable {
		return toolset.Variable{Name: name, Description: description}
	}
	manual := func(description string) toolset.Variable {
		return toolset.Variable{Name: ofManual, Description: description, Values: l.manualIDs}
	}
	section := func(name, description string) toolset.Variable {
		return toolset.Variable{Name: name, Description: description, Values: l.places}
	}
	optional := func(v toolset.Variable) toolset.Variable { v.Optional = true; return v }
	return []toolset.Prompt{
		prompt("cited_answer_ja", "出典つきの回答", "質問に答え、文ごとにファイルと行を示す。",
			words("question", "質問。"), optional(manual("探すマニュアル。省けばすべて。"))),
		prompt("cited_answer_en", "Answer with citations",
			"Answers a question, with file and line for every statement.",
			words("question", "The question."), optional(manual("The manual to search; all when not given."))),
		prompt("all_exceptions_ja", "例外の一覧", "ある事柄の例外、除外、注意をすべて表にする。",
			words("topic", "事柄。「保証」「返品」など。"), optional(manual("探すマニュアル。省けばすべて。"))),
		prompt("all_exceptions_en", "List all exceptions",
			"Lists every exception, exclusion and warning on a topic in a table.",
			words("topic", "The topic, such as warranty or returns."),
			optional(manual("The manual to search; all when not given."))),
		prompt("compare_sections_ja", "二つの節の比較", "一致、相違、矛盾を出典つきの表にする。", manual("マニュアル。"),
			section("first", "一つ目の節の見出し。"), section("second", "二つ目の節の見出し。"),
			optional(words("aspect", "特に見る点。"))),
		prompt("compare_sections_en", "Compare two sections",
			"Shows in a table where two sections agree, differ and contradict each other.", manual("The manual."),
			section("first", "The heading of the first section."),
			section("second", "The heading of the second section."),
			optional(words("aspect", "What to look at above all."))),
	}
}

// prompt returns the prompt whose text is in the file of the same name.
func prompt(name, title, description string, arguments ...toolset.Variable) toolset.Prompt {
	text, err := promptTexts.ReadFile("prompts/" + name + ".md")
	if err != nil {
		panic("manuals: " + err.Error()) // the files are compiled in, and tests read them
	}
	return toolset.Prompt{Name: name, Title: title, Description: description, Arguments: arguments, Text: string(text)}
}
