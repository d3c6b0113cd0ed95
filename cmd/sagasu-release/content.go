package main

import (
	"io/fs"
	"os"
)

// content is what a file of a package or bundle will hold.
type content struct {
	text func() ([]byte, error)
	mode fs.FileMode
}

// file is a file of the checkout.
func file(name string, mode fs.FileMode) content {
	return content{func() ([]byte, error) { return os.ReadFile(name) }, mode}
}

// source is a file of this package as it is.
func source(name string, mode fs.FileMode) content {
	return content{func() ([]byte, error) { return sources.ReadFile(name) }, mode}
}

// filled is a file of this package with its fields filled in.
func filled(name string, data any) content {
	return content{func() ([]byte, error) { return fill(name, data) }, 0o644}
}
