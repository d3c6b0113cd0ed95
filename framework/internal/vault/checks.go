package vault

import (
	"context"
	"os"

	"github.com/hashicorp/go-hclog"

	"github.com/sagasu-search/sagasu/framework/internal/doctor"
	"github.com/sagasu-search/sagasu/framework/internal/index"
	"github.com/sagasu-search/sagasu/framework/internal/module"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
)

// check reports files of the vault that are not searched, or that the vault is switched off. The
// index is built on the first search, so there may be none yet.
func check(ctx context.Context, env *module.Env, r *doctor.Report) error {
	w := env.Workspace
	if bad := Problem(w); bad != nil {
		if _, err := os.Lstat(Root(w)); err == nil {
			r.Note("the vault is off: "+bad.Error(), "start the server again when it is put right")
		}
		return nil
	}
	dir := New(Options{Dir: Root(w)}).Dir
	if !isFolder(dir()) {
		return nil
	}
	x, err := index.Open(indexOptions(w, hclog.NewNullLogger(), false, dir))
	if err != nil {
		return err
	}
	defer x.Close()
	state, err := x.State(ctx)
	if err != nil {
		r.Fail("the vault cannot be examined: "+toolset.AsError(err).Error(), "check VAULT_ROOT and its permissions")
		return nil
	}
	r.Skip(state.Skipped, " of the vault")
	return nil
}
