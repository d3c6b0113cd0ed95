package toolset

// Toolset is one product: its tools, their prompts and instructions.
type Toolset struct {
	Tools   []Tool
	Prompts []Prompt
	// Instructions tell a client's model how the tools are used.
	Instructions string
	// Needs names the tool that must be switched on for Prompts and Instructions to be sent;
	// "" means any of the tools.
	Needs string
}

// Prompt is a text that a client offers its user, with one argument put in.
type Prompt struct {
	Name, Title, Description string
	// Argument is the name of the argument, described by Wanted.
	Argument, Wanted string
	// Text holds the argument's name in braces, such as {{name}}, where the argument goes.
	Text string
}
