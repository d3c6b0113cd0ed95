package border

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// schemaPlace is the name under which a schema is compiled; nothing is there.
const schemaPlace = "sagasu:///config.json"

// CompileSchema prepares the schema of a strategy's configuration. It must be JSON Schema
// and stand by itself: what it refers to elsewhere is an error and is not read.
func CompileSchema(schema json.RawMessage) (*jsonschema.Schema, error) {
	document, err := jsonschema.UnmarshalJSON(bytes.NewReader(schema))
	if err != nil {
		return nil, err
	}
	c := jsonschema.NewCompiler()
	c.UseLoader(closed{})
	if err := c.AddResource(schemaPlace, document); err != nil {
		return nil, err
	}
	return c.Compile(schemaPlace)
}

// closed loads nothing: a stranger's schema must not make its reader open files.
type closed struct{}

// Load implements jsonschema.URLLoader.
func (closed) Load(url string) (any, error) {
	return nil, fmt.Errorf("it refers to %s; a schema must stand by itself", url)
}
