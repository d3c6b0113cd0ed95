// Command mkdata makes the data for detecting encodings:
//
//	mkdata tables FILE             the tables of encodings, from golang.org/x/text
//	mkdata languages FOLDER FILE   the models of languages, from texts FOLDER/LANGUAGE/*.txt in UTF-8
package main
