//go:build !linux

package bench

import "errors"

func load() (out [3]float64) { return out }

func cpuModel() string { return "" }

// privateDirty is known on Linux only.
func privateDirty(int) (int64, error) { return 0, errors.ErrUnsupported }
