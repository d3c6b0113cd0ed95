// Package cli is the command line of sagasu. Each file holds a subcommand or a family of them: it reads flags, makes
// one call to the framework and prints the result. [newRoot] lists the subcommands, and program.go has what they share.
//
// Its tests cover the whole program: import rules, documents, tools as clients see them, the built binary.
package cli
