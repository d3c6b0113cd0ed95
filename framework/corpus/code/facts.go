package code

// Facts is what the source of a unit, that of the units in it left out, says
// of its logic.
type Facts struct{}
