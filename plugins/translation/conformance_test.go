package translation

import (
	"testing"

	"github.com/sagasu-search/sagasu/sdk/sdktest"
)

func TestConformance(t *testing.T) { sdktest.Run(t, New) }
