// Package exceptions marks the sections that contain words which take back or limit what a text grants. Package dict
// defines the words and their format.
package exceptions
