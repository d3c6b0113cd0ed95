// Package x is empty. The packages below it serve the host and the bundled strategies. They
// carry no promise: any of them may change or go with any version.
package x
