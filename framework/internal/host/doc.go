// Package host runs strategies and converters as processes of their own: it verifies an
// executable, sandboxes and starts it, calls it, checks what it answers, and
// replaces it when it dies. [Host] does so with processes; [Local] has the same
// methods for strategies in the calling process.
//
// Package search plans queries and merges results; package wire defines the messages
// between host and strategy.
package host
