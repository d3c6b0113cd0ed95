// Package page is the page that a browser sees: it searches manuals, shows why each hit stands where it stands,
// takes judgements and measures other weights by them. Its HTML is complete without script; one script adds keys and
// changes parts in place. The files in assets are part of the program, and nothing is fetched from elsewhere.
//
// It draws what packages manuals, doctor and eval find, and finds nothing itself. Who may see the page is up to
// whoever serves it.
package page
