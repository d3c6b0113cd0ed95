//go:build linux && !amd64 && !arm64

package host

// auditArch is 0: there is no list of calls for this architecture.
const auditArch uint32 = 0

var forbiddenHere []uint32
