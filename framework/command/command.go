package command

import (
	"os"

	"github.com/sagasu-search/sagasu/framework/internal/cli"
	"github.com/sagasu-search/sagasu/sdk"
)

// Main runs the command line on the arguments of this process and returns the exit code: 0,
// 1 for a command that failed, 2 for a wrong command line, 130 for an interrupted one. The
// strategies are compiled in and searched in the order given.
func Main(strategies ...sdk.Entry) int { return cli.Main(strategies, os.Args[1:]) }

// Bench runs the command line that measures speed, on the arguments of this process, and
// returns the exit code as [Main] does.
func Bench(strategies ...sdk.Entry) int { return cli.Bench(strategies, os.Args[1:]) }
