package sdktest

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/x/conformance"
)

// RunConverter is like [Run], but for converters. samples are files that the converter must be able to read.
//
//	func TestConformance(t *testing.T) { sdktest.RunConverter(t, New, "testdata/sample.pdf") }
func RunConverter[C sdk.Converter](t *testing.T, make func() C, samples ...string) {
	t.Helper()
	subject := conformance.ConverterSubject{
		Start:   conformance.LocalConverter(func() sdk.Converter { return make() }, t.TempDir()),
		Samples: map[string][]byte{},
	}
	for _, name := range samples {
		content, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		subject.Samples[filepath.Base(name)] = content
	}
	suite, err := conformance.NewConverterSuite(t.Context(), subject)
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := suite.Close(); err != nil {
			t.Errorf("close: %v", err)
		}
	}()
	for _, rule := range conformance.ConverterRules() {
		t.Run(rule.ID, func(t *testing.T) {
			if err := suite.Check(t.Context(), rule); err != nil {
				t.Errorf("%s\nbroken: %v\nwhy it matters: %s", rule.Text, err, rule.Why)
			}
		})
	}
}
