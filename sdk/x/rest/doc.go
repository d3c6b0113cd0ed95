// Package rest notices that a process is idle, so that it can give memory back to the system.
package rest
