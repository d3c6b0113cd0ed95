package border_test

import (
	"strings"
	"testing"

	"github.com/sagasu-search/sagasu/sdk/border"
)

func TestCompileSchema(t *testing.T) {
	t.Chdir(t.TempDir())
	for schema, problem := range map[string]string{
		`{"type": "object", "properties": {"a": {"$ref": "#/$defs/x"}}, "$defs": {"x": {"type": "integer"}}}`: "",
		`{"$ref": "file:///etc/passwd"}`:    "must stand by itself",
		`{"$ref": "other.json"}`:            "must stand by itself",
		`{"$ref": "https://example.com/s"}`: "must stand by itself",
		`{"type": 1}`:                       "type",
		`{`:                                 "EOF",
	} {
		_, err := border.CompileSchema([]byte(schema))
		if problem == "" && err != nil || problem != "" && (err == nil || !strings.Contains(err.Error(), problem)) {
			t.Errorf("%s: %v, want %q", schema, err, problem)
		}
	}
}
