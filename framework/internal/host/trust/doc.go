// Package trust says which executables of others are strategies, and what each may do.
// What is installed stands in plugins.lock, in the user's own configuration folder and
// never in a workspace, so that to open a folder runs nobody's code. Each entry pins the
// executable by its SHA-256 and lists its grants.
//
// The package builds, copies, asks, records and compares; to start strategies for
// searches is the business of package host.
package trust
