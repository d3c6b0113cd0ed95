//go:build !linux

package bench

import "errors"

func load() (out [3]float64) { return out }

func cpuModel() string { return "" }

// PrivateDirty is known on Linux only.
func PrivateDirty(int) (int64, error) { return 0, errors.ErrUnsupported }
