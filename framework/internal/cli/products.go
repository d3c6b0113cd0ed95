package cli

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

// moduleOf returns an open product by its type, nil where the workspace has no use for it.
func moduleOf[M module.Module](a *app) M {
	for _, m := range a.modules {
		if found, ok := m.(M); ok {
			return found
		}
	}
	var none M
	return none
}

func (a *app) manuals() *manuals.Module { return moduleOf[*manuals.Module](a) }
func (a *app) vault() *vault.Module     { return moduleOf[*vault.Module](a) }
func (a *app) patents() *patents.Module { return moduleOf[*patents.Module](a) }
func (a *app) logic() *logic.Module     { return moduleOf[*logic.Module](a) }
