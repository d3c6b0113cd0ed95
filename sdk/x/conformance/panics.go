package conformance

import "strings"

// place is where a panic came from, as far as its stack tells. Of one that was passed on
// the stack holds the first below the others.
func place(stack string) string {
	at := strings.LastIndex(stack, "\npanic(")
	if at < 0 {
		return ""
	}
	lines := strings.Split(stack[at+1:], "\n")
	for i := 2; i+1 < len(lines); i += 2 { // a function and its file each; the first are panic's own
		if !strings.HasPrefix(lines[i], "runtime.") {
			file, _, _ := strings.Cut(strings.TrimSpace(lines[i+1]), " +0x")
			return " at " + file
		}
	}
	return ""
}
