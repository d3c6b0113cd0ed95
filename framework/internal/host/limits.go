package host

// limits bound what a strategy's process takes of the system, beside its memory.
type limits struct {
	// Files is how many files and connections it has open.
	Files uint64 `json:"files"`
	// FileSize is how large a file it writes, in bytes.
	FileSize uint64 `json:"file_size"`
	// Threads is how many more its user may have than the whole system has when it
	// starts; root is not bound by it.
	Threads uint64 `json:"threads"`
}

// usualLimits are far above what a strategy needs and far below what a system has.
var usualLimits = limits{Files: 1024, FileSize: 4 << 30, Threads: 512}
