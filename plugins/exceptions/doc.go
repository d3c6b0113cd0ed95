// Package exceptions marks the sections that hold words which take back or
// limit what a text grants. The words and their format are package dict's.
package exceptions
