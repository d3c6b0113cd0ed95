package host

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"golang.org/x/text/language"
	"golang.org/x/text/message"

	"github.com/sagasu-search/sagasu/framework/internal/toolset"
	"github.com/sagasu-search/sagasu/sdk/x/border"
)

// ConfigError reports a value of a strategy's configuration that its schema does not allow.
type ConfigError struct {
	// Key is the path to the value, from the top of the configuration.
	Key []string
	// Problem says what is wrong with it, as the end of a sentence.
	Problem string
}

// Error implements error.
func (e *ConfigError) Error() string {
	if len(e.Key) == 0 {
		return e.Problem
	}
	return strings.Join(e.Key, ".") + ": " + e.Problem
}

// CheckConfig checks a configuration against a strategy's JSON Schema. A key that the schema does
// not name is an error unless the schema explicitly allows others. Errors are a [*ConfigError], or
// report an unusable schema.
func CheckConfig(schema, config json.RawMessage) error {
	if len(schema) == 0 {
		return &ConfigError{Problem: "the strategy takes no configuration"}
	}
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(config))
	if err != nil {
		return &ConfigError{Problem: "it is not JSON"}
	}
	document, err := jsonschema.UnmarshalJSON(bytes.NewReader(schema))
	if err != nil {
		return fmt.Errorf("its schema is not JSON: %w", err)
	}
	if err := unknownKey(document, value, nil); err != nil {
		return err
	}
	compiled, err := border.CompileSchema(schema)
	if err != nil {
		return fmt.Errorf("its schema cannot be used: %w", err)
	}
	err = compiled.Validate(value)
	if invalid, ok := errors.AsType[*jsonschema.ValidationError](err); ok {
		return deepest(invalid)
	}
	return err
}

// unknownKey finds the first key that no property of a schema names.
func unknownKey(schema, value any, at []string) error {
	s, _ := schema.(map[string]any)
	members, _ := value.(map[string]any)
	properties, named := s["properties"].(map[string]any)
	if !named {
		return nil
	}
	others := s["additionalProperties"] != nil && s["additionalProperties"] != false || s["patternProperties"] != nil
	for _, key := range slices.Sorted(maps.Keys(members)) {
		way := append(slices.Clone(at), key)
		property, known := properties[key]
		if !known && !others {
			return unknown(way, slices.Sorted(maps.Keys(properties)))
		}
		if err := unknownKey(property, members[key], way); err != nil {
			return err
		}
	}
	return nil
}

func unknown(way, among []string) error {
	if near := toolset.DidYouMean(way[len(way)-1], among, 1); len(near) > 0 {
		return &ConfigError{way, "unknown key; did you mean " + near[0] + "?"}
	}
	return &ConfigError{way, "unknown key; the keys are " + strings.Join(among, ", ")}
}

// deepest returns the innermost cause of a failed validation.
func deepest(e *jsonschema.ValidationError) error {
	for len(e.Causes) > 0 {
		e = e.Causes[0]
	}
	return &ConfigError{e.InstanceLocation, e.ErrorKind.LocalizedString(message.NewPrinter(language.English))}
}
