package border

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/url"
	"strconv"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// schemaPlace is the URL under which a schema is compiled. It is never loaded.
const schemaPlace = "sagasu:///config.json"

// CompileSchema prepares the schema of a strategy's configuration. It must be valid JSON Schema
// without external references (they are an error and are not loaded) and without recursion, and
// have at most [MaxSchemaParts] parts with all references expanded: a small untrusted schema must
// not keep the host busy forever.
func CompileSchema(schema json.RawMessage) (*jsonschema.Schema, error) {
	document, err := jsonschema.UnmarshalJSON(bytes.NewReader(schema))
	if err != nil {
		return nil, err
	}
	if _, err := (&extent{document: document, parts: map[string]int{}}).of(document, true); err != nil {
		return nil, err
	}
	c := jsonschema.NewCompiler()
	c.UseLoader(closed{})
	if err := c.AddResource(schemaPlace, document); err != nil {
		return nil, err
	}
	return c.Compile(schemaPlace)
}

// closed is a loader that always fails: an untrusted schema must not make the host open files.
type closed struct{}

// Load implements jsonschema.URLLoader.
func (closed) Load(url string) (any, error) {
	return nil, fmt.Errorf("it refers to %s; a schema must stand by itself", url)
}

// MaxSchemaParts is the maximum number of parts of a schema with its references expanded.
const MaxSchemaParts = 10_000

// extent counts the parts of a schema. A part counts once for each reference to it.
type extent struct {
	document any
	parts    map[string]int // for the target of each reference; 0 while it is being counted
}

func (e *extent) of(node any, root bool) (int, error) {
	total := 1
	add := func(node any) error {
		n, err := e.of(node, false)
		if total += n; err == nil && total > MaxSchemaParts {
			err = fmt.Errorf("it stands for more than %d parts", MaxSchemaParts)
		}
		return err
	}
	switch node := node.(type) {
	case []any:
		for _, item := range node {
			if err := add(item); err != nil {
				return 0, err
			}
		}
	case map[string]any:
		for key, value := range node {
			text, isText := value.(string)
			switch {
			case isText && key == "$ref":
				n, err := e.referred(text)
				if err != nil {
					return 0, err
				}
				total += n
			case isText && (key == "$dynamicRef" || key == "$recursiveRef" || key == "$id" && !root):
				return 0, fmt.Errorf("it uses %s, which nobody needs to describe settings", key)
			}
			if err := add(value); err != nil {
				return 0, err
			}
		}
	}
	return total, nil
}

// referred counts the parts in the target of a reference.
func (e *extent) referred(ref string) (int, error) {
	if n, counted := e.parts[ref]; counted && n == 0 {
		return 0, fmt.Errorf("it refers to itself (%s)", ref)
	} else if counted {
		return n, nil
	}
	target, err := e.at(ref)
	if err != nil {
		return 0, err
	}
	e.parts[ref] = 0
	n, err := e.of(target, false)
	e.parts[ref] = n
	return n, err
}

// at returns the part of the schema at a JSON pointer (RFC 6901) after a #.
func (e *extent) at(ref string) (any, error) {
	place, err := url.PathUnescape(ref)
	steps := strings.Split(strings.TrimSuffix(place, "/"), "/")
	if err != nil || steps[0] != "#" {
		return nil, fmt.Errorf("it refers to %s; a schema must stand by itself, and refer by #/ and the way", ref)
	}
	at := e.document
	for _, step := range steps[1:] {
		step = strings.NewReplacer("~1", "/", "~0", "~").Replace(step)
		switch in := at.(type) {
		case map[string]any:
			at = in[step]
		case []any:
			if i, err := strconv.Atoi(step); err == nil && i >= 0 && i < len(in) {
				at = in[i]
			} else {
				at = nil
			}
		default:
			at = nil
		}
	}
	if at == nil {
		return nil, fmt.Errorf("it refers to %s, which is not there", ref)
	}
	return at, nil
}
