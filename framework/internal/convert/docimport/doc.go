// Package docimport writes documents as UTF-8 text into the folder of a manual, with a record for each of where its
// text came from. It never replaces or removes what somebody else wrote there.
package docimport
