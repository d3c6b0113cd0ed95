package rule

// Kind is what a rule speaks of, and what a conflict is about.
type Kind string

// The kinds.
const (
	Amount   Kind = "number"   // a number with its unit, and on which side of it something happens
	Effect   Kind = "polarity" // something is done or allowed, or is not
	Members  Kind = "members"  // the values that something may have
	State    Kind = "state"    // the state that something gets
	Status   Kind = "status"   // the HTTP status that answers something
	Presence Kind = "presence" // a field is required or optional
	Order    Kind = "order"    // one thing comes before another
)

// Rule is one thing that a program does or a specification wants.
type Rule struct {
	Kind Kind
	Line int    // in the file, from 1
	Text string // as written, on one line
	// Value is what the constant of a comparison holds, such as "MAX_BYTES = 25 MB", ""
	// where the line itself tells its number.
	Value string
	// About is the subject, without what it shares with its surroundings.
	About Words

	Amount Quantity // of an Amount
	// Op compares the subject with the amount, "" where it only equals it. One of < <= > >=.
	Op string
	// Sign says of an Amount with Op what happens on that side, of an Effect
	// whether it is had: good 1, bad -1, neither 0.
	Sign int
	// Outcome is what happens on that side, in words and values.
	Outcome Words
	Values  []string // of Members and State: the values; of Presence: the names of the field
	Status  int      // of Status
	// Excess says of a Status whether it answers too much, 1, or too little, -1.
	Excess int
	Must   bool // of Presence: the field is required
	// Called says of an Effect that it is a call.
	Called bool
	// First and Then are the two things of an Order.
	First, Then Words
	// field is what a State is given to, where its name does not say that it is one.
	field Words
	// around is what the subject of an Amount of code is a member of.
	around Words
	growth growth // of an Amount of code
	role   role   // of an Amount
	// goal are the ideas in the name of the State that a specification wants.
	goal Words
	// wanted is the subject of a rule of a specification with the name of its unit.
	wanted Words
	// steps are the lines of code where order is looked for.
	steps []step
}

// step is a line of code and the ideas that it names.
type step struct {
	line  int
	words Words
	text  string
}

// Source is a unit of code or specification with its rules.
type Source struct {
	Path, Name  string
	First, Last int // lines
	// Names are the words of the unit's own name, Topic those of all that it is named by.
	Names, Topic Words
	// said is what the unit's name and comment say it does.
	said  Words
	Rules []Rule
	// text is the unit as written, for looking up values.
	text string
}
