// The engine as an executable, for tests of a whole program.
package main

import (
	"github.com/sagasu-search/sagasu/framework/internal/collection/testdata/engine"
	"github.com/sagasu-search/sagasu/sdk/serve"
)

func main() { serve.Strategy(engine.New()) }
