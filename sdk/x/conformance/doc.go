// Package conformance examines a strategy: it calls it like the host does, with small corpora in English and Japanese,
// and reports which rule was broken and why that matters.
//
// It does not use package testing: package sdktest runs it in a Go test, and "sagasu plugin check" on an executable in
// any language.
package conformance
