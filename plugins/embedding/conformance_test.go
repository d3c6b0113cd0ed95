package embedding

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sagasu-search/sagasu/sdk/sdktest"
)

func TestConformance(t *testing.T) {
	var vec strings.Builder
	for i, w := range []string{"the", "of", "backup", "raid", "disk", "server", "network", "password", "travel", "refund", "error", "update"} {
		fmt.Fprintf(&vec, "%s %d %d 1\n", w, i%5, i%3)
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "w.vec"), []byte(vec.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Run("folder", func(t *testing.T) { sdktest.RunConfigured(t, New, []byte(fmt.Sprintf(`{"dir":%q}`, dir))) })
	dead := httptest.NewServer(http.NotFoundHandler())
	dead.Close()
	t.Run("dead service", func(t *testing.T) {
		sdktest.RunConfigured(t, New, []byte(fmt.Sprintf(`{"url":%q,"model":"m","retries":1}`, dead.URL+"/v1")))
	})
}
