// Package cli is the command line of sagasu. Each file holds one subcommand or a family of them: flags in, one call to
// the framework, output. [newRoot] lists them, and program.go has what they share.
//
// Its tests cover the whole program: rules of imports, documents, tools as clients see them, the built binary.
package cli
