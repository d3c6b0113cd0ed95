// Package host runs strategies as processes of their own: it verifies an
// executable, sandboxes and starts it, calls it, checks what it answers, and
// replaces it when it dies. [Host] does so with processes and [Local] has the
// same face for strategies linked into the caller.
//
// It does not plan queries nor merge results (package find), and what crosses
// the border is the business of sdk/wire.
package host
