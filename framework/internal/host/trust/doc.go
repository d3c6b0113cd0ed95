// Package trust records which third-party executables are strategies, and what each may do. The record is
// plugins.lock, in the user's own configuration folder and never in a workspace, so that opening a folder runs
// nobody's code. Each entry pins the executable by its SHA-256 and lists its grants.
//
// The package builds, copies, asks, records and compares; package host starts strategies for searches.
package trust
