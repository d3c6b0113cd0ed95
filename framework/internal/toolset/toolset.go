package toolset

// Toolset is one product: its tools, what a client is told of them, and what they hold open.
type Toolset struct {
	Tools   []Tool
	Prompts []Prompt
	// Instructions tell a client's model how the tools are used, once any of them is on.
	Instructions string
	// Close ends what the tools hold open; nil for nothing.
	Close func() error
}

// Prompt is a text that a client offers its user, with one argument put in.
type Prompt struct {
	Name, Title, Description string
	// Argument is the name of the argument, described by Wanted.
	Argument, Wanted string
	// Text holds {{argument}} where the argument goes.
	Text string
}
