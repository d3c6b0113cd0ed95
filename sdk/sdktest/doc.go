// Package sdktest helps to test a strategy: [Run] checks that it follows the rules of the host, and [Snapshot]
// publishes a small corpus. It is for tests only and starts no process.
package sdktest
