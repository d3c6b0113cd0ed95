// Package page is the web page: it searches manuals, shows why each hit ranks where it does, takes judgements and
// measures other weights with them. Its HTML is complete without script; one script adds keys and updates parts in
// place. The files in assets are part of the program, and nothing is fetched from elsewhere.
//
// It only shows what packages manuals, doctor and eval find. The server decides who may see the page.
package page
