package wire

import "errors"

// EnvDebug makes a strategy's executable that no host started, but a debugger, serve by
// itself and print where it listens.
const EnvDebug = "SAGASU_DEBUG"

// Reattach says where a strategy listens that no host has started.
type Reattach struct {
	PID     int    `json:"pid"`
	Network string `json:"network"` // unix or tcp
	Address string `json:"address"`
	Version int    `json:"version"` // of the protocol
}

// Check reports what a line that tells of no process lacks.
func (r *Reattach) Check() error {
	switch {
	case r.PID <= 0:
		return errors.New("it names no process")
	case r.Network == "" || r.Address == "":
		return errors.New("it does not say where the process listens")
	case Plugins(nil)[r.Version] == nil:
		return errors.New("the process speaks another version of the protocol")
	}
	return nil
}
