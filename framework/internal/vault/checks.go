package vault

import (
	"context"

	"github.com/hashicorp/go-hclog"

	"github.com/sagasu-search/sagasu/framework/internal/doctor"
	"github.com/sagasu-search/sagasu/framework/internal/module"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
)

// check reports files of the vault that are not searched. Its index is made when it is searched
// first, so that there may be none yet.
func check(ctx context.Context, env *module.Env, r *doctor.Report) error {
	w := env.Workspace
	x := newLazyIndex(w, hclog.NewNullLogger(), false)
	x.dir = New(Options{Dir: Root(w)}).Dir
	if Problem(w) != nil || !x.exists() {
		return nil
	}
	opened, err := x.open()
	if err != nil {
		return err
	}
	defer opened.Close()
	state, err := opened.State(ctx)
	if err != nil {
		r.Fail("the vault cannot be examined: "+toolset.AsError(err).Error(), "check VAULT_ROOT and its permissions")
		return nil
	}
	r.Skip(state.Skipped, " of the vault")
	return nil
}
