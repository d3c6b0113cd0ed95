//go:build soak

package vault_test

import "time"

const (
	kills    = 1000
	together = 30 * time.Second
)
