// Package command is the whole command line of sagasu, for a binary with strategies of its own.
package command
