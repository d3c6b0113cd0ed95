package toolset

// Toolset is one product: its tools, their prompts, resources and instructions.
type Toolset struct {
	Tools     []Tool
	Prompts   []Prompt
	Resources *Resources // nil for none
	// Instructions tell a client's model how the tools are used.
	Instructions string
	// Needs names the tool that must be switched on for Prompts and Instructions to be sent;
	// "" means any of the tools.
	Needs string
}

// Prompt is a text that a client offers its user, with arguments put in.
type Prompt struct {
	Name, Title, Description string
	Arguments                []Argument
	// Text holds the names of arguments in braces, such as {{name}}, where they go. A line with an
	// optional one that is not given is left out.
	Text string
}
