package server

import (
	"math"

	"github.com/sagasu-search/sagasu/framework/internal/patents/lane"
	"github.com/sagasu-search/sagasu/framework/internal/patents/publication"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
)

// textNames are other words for the texts of a publication.
var textNames = map[string]string{"abstract": publication.Abst, "claims": publication.Claim, "description": publication.Desc}

func textName(name string) string {
	if own, ok := textNames[name]; ok {
		return own
	}
	return name
}

// texts takes the names of texts.
func texts(args *Arguments) []string {
	fields := args.Texts("fields")
	for i := range fields {
		fields[i] = textName(fields[i])
	}
	return fields
}

// charsByText takes widths by the name of a text.
func charsByText(args *Arguments) map[string]int {
	chars := args.Ints("per_field_chars", 0, Unbounded)
	for alias, name := range textNames {
		n, given := chars[alias]
		if !given {
			continue
		}
		if own, both := chars[name]; both && own != n {
			args.fail(toolset.Invalid("per_field_chars."+alias, n, "given once, as "+name))
		}
		delete(chars, alias)
		chars[name] = n
	}
	return chars
}

func cutting(args *Arguments) lane.Cutting {
	return lane.Cutting{Fields: texts(args), Chars: charsByText(args), BudgetBytes: args.Int("budget_bytes", math.MinInt, math.MaxInt)}
}

func peekRequest(args *Arguments) (lane.PeekRequest, error) {
	args = publicationArguments(args)
	args.Rename("run_id_lane", "run_id")
	req := lane.PeekRequest{
		RunID:   args.RequiredFilledText("run_id", "the run_id of a search or a fusion"),
		Offset:  or(args.Int("offset", 0, Unbounded), 0),
		Limit:   or(args.Int("limit", 1, lane.MaxPeek), lane.DefaultPeek),
		Cutting: cutting(args),
	}
	return req, publicationFault(args.Err())
}

func snippetsRequest(args *Arguments) (lane.SnippetsRequest, error) {
	args = publicationArguments(args)
	args.Rename("run_id_lane", "run_id")
	req := lane.SnippetsRequest{RunID: args.FilledText("run_id"), PubIDs: requiredTexts(args, "pub_ids"), Cutting: cutting(args)}
	return req, publicationFault(args.Err())
}

func publicationRequest(args *Arguments) (lane.PublicationRequest, error) {
	args = publicationArguments(args)
	args.Rename("pub_id", "id")
	req := lane.PublicationRequest{
		ID: args.RequiredFilledText("id", "a number of a publication"), IDType: args.Choice("id_type", publication.IDTypes...),
		Fields: texts(args), Chars: charsByText(args),
	}
	if req.IDType == "" {
		req.IDType = publication.IDTypes[0]
	}
	return req, publicationFault(args.Err())
}
