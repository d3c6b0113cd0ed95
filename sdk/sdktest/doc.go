// Package sdktest helps test a strategy: [Run] checks that it keeps the rules of the host, and [Snapshot] publishes a
// small corpus. It is for tests only and starts no process.
package sdktest
