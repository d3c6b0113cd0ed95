package border_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/sagasu-search/sagasu/sdk/x/border"
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

// doubling returns a schema of n definitions, each of which refers twice to the one before.
func doubling(n int) string {
	all := `{"$defs":{"a0":{"type":"object"}`
	for i := 1; i < n; i++ {
		all += fmt.Sprintf(`,"a%d":{"allOf":[{"$ref":"#/$defs/a%d"},{"$ref":"#/$defs/a%d"}]}`, i, i-1, i-1)
	}
	return all + fmt.Sprintf(`},"$ref":"#/$defs/a%d"}`, n-1)
}

func TestSchemasThatGrowAreRefused(t *testing.T) {
	for schema, want := range map[string]string{
		doubling(5):                         "",
		doubling(40):                        "stands for more than",
		`{"properties":{"x":{"$ref":"#"}}}`: "refers to itself",
		`{"$defs":{"a":{"$ref":"#/$defs/b"},"b":{"$ref":"#/$defs/a"}},"$ref":"#/$defs/a"}`:       "refers to itself",
		`{"$defs":{"a/b ~":{"type":"integer"}},"properties":{"x":{"$ref":"#/$defs/a~1b%20~0"}}}`: "",
		`{"properties":{"x":{"$ref":"#/$defs/none"}}}`:                                           "is not there",
		`{"properties":{"x":{"$ref":"#name"}}}`:                                                  "stand by itself",
		`{"properties":{"x":{"$id":"y","type":"object"}}}`:                                       "$id",
		`{"properties":{"x":{"$dynamicRef":"#a"}}}`:                                              "$dynamicRef",
		`{"properties":{"$ref":{"type":"string"},"$id":{"type":"string"}}}`:                      "",
	} {
		_, err := border.CompileSchema([]byte(schema))
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%.80s: %v, want %q", schema, err, want)
		}
	}
}
