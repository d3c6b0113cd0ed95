// Package toolset is the mechanism that the tools of all products share: tools, typed arguments and their schemas,
// errors, and the references, ranges and actions of results. It knows neither the product nor the protocol.
//
// A tool is a function from an argument struct to a result struct, completed by [Define]. The struct tags are the whole
// contract: [Decode] reads and checks the arguments by them, the schemas describe arguments and results to clients, and
// an error about an argument includes the caller's call, corrected (see [Corrected]).
//
//	type countArgs struct {
//		Text  string `json:"text" required:"a text" filled:"" doc:"The text to count in."`
//		Limit int    `json:"limit" min:"1" max:"100" default:"20"`
//	}
//
//	type countResult struct {
//		Words int    `json:"words"`
//		Note  string `json:"note,omitempty"`
//	}
//
//	tool := toolset.Define(toolset.Tool{Name: "count", Hints: toolset.Reading, …},
//		func(ctx context.Context, args countArgs) (*countResult, error) { … })
//
// A type that is not a plain struct, number, text or list, such as a union or a path, implements [Reader] and
// [Schemer]. A struct that accepts other names implements [Preparer]. [Remembered] returns values that the calls of one
// client share. A [Toolset] holds the tools of a product for the server.
package toolset
