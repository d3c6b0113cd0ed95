package conformance

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
	"github.com/sagasu-search/sagasu/sdk/x/border"
)

// known are all kinds of corpus.
var known = []snapshot.Kind{snapshot.KindManual, snapshot.KindVault, snapshot.KindPublication, snapshot.KindLogic}

// description checks the description of the strategy.
func (e *Suite) description(ctx context.Context) error {
	d := e.described
	if err := border.CheckDescription(d); err != nil {
		return err
	}
	if d.Version == "" {
		return errors.New("the version is empty: it must change whenever results may change")
	}
	quiet := []sdk.Stage{sdk.StageFeedback, sdk.StageGather, sdk.StageJudge}
	if !slices.Contains(quiet, d.Stage) && len(d.Signals) == 0 {
		return errors.New("there are no signals: without one nobody learns why a section was proposed")
	}
	if d.Weight == 0 && d.Stage != sdk.StageGather {
		return errors.New("the weight is 0: no search would call it")
	}
	for i, kind := range d.Corpora {
		if !slices.Contains(known, kind) || slices.Contains(d.Corpora[:i], kind) {
			return fmt.Errorf("corpus kind %q is unknown or named twice: there are %q", kind, known)
		}
	}
	return e.constant(ctx)
}

// constant checks that the description does not change.
func (e *Suite) constant(ctx context.Context) error {
	s, err := e.strategy(ctx)
	if err != nil {
		return err
	}
	for range 2 {
		var again sdk.Description
		err := e.once(ctx, func(ctx context.Context) error { again, err = s.Describe(ctx); return err })
		if err != nil {
			return fmt.Errorf("it does not describe itself again: %w", err)
		}
		if !reflect.DeepEqual(e.described, again) {
			return fmt.Errorf("at first it said %+v, then %+v", e.described, again)
		}
	}
	return nil
}

// config checks the schema, and that {} is accepted if the schema allows it.
func (e *Suite) config(ctx context.Context) error {
	if e.configError != nil || len(e.described.ConfigSchema) == 0 {
		return e.configError
	}
	schema, err := border.CompileSchema(e.described.ConfigSchema)
	if err != nil {
		return fmt.Errorf("the schema cannot be used: %w", err)
	}
	if e.subject.Config != nil {
		return nil // every start configured it
	}
	empty := json.RawMessage("{}")
	if fits(schema, empty) != nil {
		return errors.New("the schema requires a configuration: examine the strategy with one " +
			"(plugin check --config, sdktest.RunConfigured)")
	}
	s, err := e.subject.Start(ctx)
	if err != nil {
		return err
	}
	if err := e.once(ctx, func(ctx context.Context) error { return s.Configure(ctx, empty) }); err != nil {
		return errors.Join(fmt.Errorf("{} fits the schema and is refused: %w", err), s.Close())
	}
	return s.Close()
}

// configError returns why a strategy with a schema cannot be configured.
func configError(schema, config json.RawMessage) error {
	if config == nil {
		return nil
	}
	if len(schema) == 0 {
		return errors.New("it is given a configuration and has no schema for one")
	}
	compiled, err := border.CompileSchema(schema)
	if err != nil {
		return fmt.Errorf("the schema cannot be used: %w", err)
	}
	return fits(compiled, config)
}

func fits(schema *jsonschema.Schema, config json.RawMessage) error {
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(config))
	if err != nil {
		return fmt.Errorf("the configuration is not JSON: %w", err)
	}
	if err := schema.Validate(doc); err != nil {
		_, faults, _ := strings.Cut(err.Error(), "\n") // the first line is about the location of the schema
		return errors.New(strings.ReplaceAll(faults, "- at '': ", ""))
	}
	return nil
}
