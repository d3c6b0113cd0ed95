//go:build !unix

package main

import "time"

// cpuTime is not known here.
func cpuTime() time.Duration { return 0 }
