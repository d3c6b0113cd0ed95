// Package docimport writes the documents of a file or a folder as UTF-8 text into the folder of a manual, beside a
// manifest that says where each text came from. It never replaces or removes what somebody else wrote there.
package docimport
