package main

import (
	"os"

	"github.com/sagasu-search/sagasu/framework/command"
	"github.com/sagasu-search/sagasu/plugins"
)

func main() { os.Exit(command.Bench(plugins.Bundled()...)) }
