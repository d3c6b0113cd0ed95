// Package rest notices that a process has nothing to do, so that it can give memory back to the system.
package rest
