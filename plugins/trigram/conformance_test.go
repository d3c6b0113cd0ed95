package trigram

import (
	"testing"

	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/sdktest"
)

func TestConformance(t *testing.T) { sdktest.Run(t, func() sdk.Strategy { return New() }) }
