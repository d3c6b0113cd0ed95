package command_test

import (
	"testing"

	"github.com/sagasu-search/sagasu/sdk/sdktest"
)

// The strategy that the example shows keeps the rules that a reader's own has to keep.
func TestTheExampleKeepsTheRules(t *testing.T) { sdktest.Run(t, func() first { return first{} }) }
