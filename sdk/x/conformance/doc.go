// Package conformance examines a strategy: it calls one as the host does, with small
// corpora of English and Japanese, and says which rule was broken and why that matters.
//
// It knows nothing of package testing: package sdktest runs it in a Go test, and
// "sagasu plugin check" on an executable in any language.
package conformance
