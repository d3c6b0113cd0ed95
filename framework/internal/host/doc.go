// Package host runs strategies and converters in separate processes: it verifies an executable,
// starts it in a sandbox, calls it, checks its answers, and replaces it when it dies. [Host] does
// so with processes; [Local] has the same methods for strategies in the calling process.
//
// Package search plans queries and merges results; package wire defines the messages
// between host and strategy.
package host
