// Package command is the whole command line of sagasu, for binaries with additional strategies.
package command
