package conformance

import "strings"

// place is where a panic came from, as far as its stack tells.
func place(stack string) string {
	_, after, found := strings.Cut(stack, "\npanic(")
	if !found {
		return ""
	}
	lines := strings.Split(after, "\n")
	for i := 2; i+1 < len(lines); i += 2 { // a function and its file each; the first are panic's own
		if !strings.HasPrefix(lines[i], "runtime.") {
			file, _, _ := strings.Cut(strings.TrimSpace(lines[i+1]), " +0x")
			return " at " + file
		}
	}
	return ""
}
