package main

import (
	"testing"

	"github.com/sagasu-search/sagasu/sdk/sdktest"
)

func TestConformance(t *testing.T) { sdktest.RunConverter(t, New, "testdata/sample.pdf") }
