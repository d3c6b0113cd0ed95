package app

import (
	"github.com/sagasu-search/sagasu/framework/internal/logic"
	"github.com/sagasu-search/sagasu/framework/internal/manuals"
	"github.com/sagasu-search/sagasu/framework/internal/module"
	"github.com/sagasu-search/sagasu/framework/internal/patents"
	"github.com/sagasu-search/sagasu/framework/internal/vault"
)

// products are what a program offers. Each is opened with what those before it left in the
// environment.
func products() []module.Definition {
	return []module.Definition{
		manuals.Definition(),
		vault.Definition(),
		patents.Definition(),
		logic.Definition(),
	}
}

// Module returns an open product by its type, nil where the workspace has no use for it.
func Module[M module.Module](a *App) M {
	for _, m := range a.Modules {
		if found, ok := m.(M); ok {
			return found
		}
	}
	var none M
	return none
}
