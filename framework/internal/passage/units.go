package passage

// Unit is the least piece of a text that is shown: a sentence, a row of a table, an item of a list, a block of code.
type Unit struct {
	Text string // as it is written
	Line int    // of its first byte, from 0
	Over int    // the unit that says what this one is: header of a table, lead of a list; -1 for none
}

// Units cuts a text into its units, in order.
func Units(source string) []Unit {
	units := cut(source)
	out := make([]Unit, len(units))
	for i, u := range units {
		out[i] = Unit{Text: source[u.from:u.to], Line: u.line, Over: u.over}
	}
	return out
}
