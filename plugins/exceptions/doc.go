// Package exceptions marks the sections with words that withdraw or limit what a text grants. Package dict defines the
// words and their format.
package exceptions
