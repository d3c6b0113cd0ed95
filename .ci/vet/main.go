// Vet is go vet, but reads what is imported from source, where go vet compiles all of it, for each system anew.
package main

import (
	"golang.org/x/tools/go/analysis/multichecker"
	"golang.org/x/tools/go/analysis/suite/vet"
)

func main() { multichecker.Main(vet.Suite...) }
