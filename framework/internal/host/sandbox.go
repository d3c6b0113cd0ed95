package host

import (
	"fmt"
	"strings"
)

// Sandbox describes how this system confines the strategies' processes.
type Sandbox struct {
	// Mechanism is what confines them, or "" for nothing.
	Mechanism string `json:"mechanism"`
	// ABI is the interface version that the system offers, or 0 without one.
	ABI int `json:"abi"`
	// Filter reports whether system calls that no strategy needs are refused as well.
	Filter bool `json:"filter"`
	// Open lists what is not restricted.
	Open []string `json:"open"`
}

// What a sandbox may leave open.
const (
	openFiles   = "the user's files"
	openTCP     = "TCP"
	openUDP     = "UDP"
	openSockets = "unix sockets by path"
)

// String describes it in one line.
func (s Sandbox) String() string {
	if s.Mechanism == "" {
		return "not confined"
	}
	line := fmt.Sprintf("%s ABI %d", s.Mechanism, s.ABI)
	if s.Filter {
		line += " and a filter of system calls"
	}
	if len(s.Open) > 0 {
		line += "; does not stop " + strings.Join(s.Open, ", ")
	}
	return line
}
