//go:build !soak

package vault_test

import "time"

// How long the tests with processes go on; the build tag soak makes it long.
const (
	kills    = 25
	together = time.Second
)
