//go:build soak

package cli

import (
	"testing"
	"time"
)

// Three seconds are what a client that ends its server waits for.
func TestHungProcessEndsInTime(t *testing.T) {
	for _, signal := range []bool{true, false} {
		if took, _, log := endHung(t, "call", signal); took > 3*time.Second {
			t.Errorf("it took %v with signal %v: %s", took, signal, log)
		}
	}
}
