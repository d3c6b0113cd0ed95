// Command man writes a man page for each command of sagasu. Packages install them. It is a program of its own
// because what turns text into pages would make sagasu larger.
package main
