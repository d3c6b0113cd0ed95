package rerankhttp

import (
	"fmt"
	"testing"

	"github.com/sagasu-search/sagasu/sdk/sdktest"
)

func TestConformance(t *testing.T) {
	s := serve(t, TEI)
	s.misbehave = say(500, "") // without scores the order is unchanged
	sdktest.RunConfigured(t, New, []byte(fmt.Sprintf(`{"url":%q,"api":"tei","retries":0}`, s.URL)))
}
