package host

import (
	"fmt"
	"strings"
)

// Sandbox says what holds the strategies' processes back on this system.
type Sandbox struct {
	// Mechanism is what confines them, "" for nothing.
	Mechanism string `json:"mechanism"`
	// ABI is the version of its interface that the system offers; 0 without one.
	ABI int `json:"abi"`
	// Filter says that system calls which no strategy needs are refused, too.
	Filter bool `json:"filter"`
	// Open is what is not held back.
	Open []string `json:"open"`
}

// What a sandbox may leave open.
const (
	openFiles   = "the user's files"
	openTCP     = "TCP"
	openUDP     = "UDP"
	openSockets = "unix sockets by path"
)

// String says it in one line.
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
