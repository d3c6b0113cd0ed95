// Package rest notices that a process is idle, so that it can return memory to the system.
package rest
