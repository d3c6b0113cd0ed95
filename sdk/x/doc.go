// Package x is empty. The packages below it serve the host and the bundled strategies and carry
// no promise: any of them may change or disappear with any version. What is promised is listed
// in package sdk.
package x
