// Package x is empty. The packages below it serve the host and the bundled strategies and carry no promise: any of them
// may change or disappear with any version. Package sdk lists what is promised.
package x
