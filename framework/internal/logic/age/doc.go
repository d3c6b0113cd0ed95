// Package age reports when the lines of a file were written, as the git history of
// its folder knows it. Git runs with nothing that the folder configures: no hook,
// filter, monitor, helper or remote; where that is not possible, no age is known.
package age
