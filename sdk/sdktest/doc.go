// Package sdktest helps to test a strategy: it publishes small corpora as real
// snapshots. It is for tests only and starts no process.
package sdktest
