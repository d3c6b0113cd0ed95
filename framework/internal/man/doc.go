// Command man writes a man page for each command of sagasu, for packages to install. It is a program of its own
// because the library that generates the pages would make sagasu larger.
package main
