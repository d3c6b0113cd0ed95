package wire

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
