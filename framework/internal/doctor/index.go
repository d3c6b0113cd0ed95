package doctor

import (
	"context"
	"fmt"

	"github.com/sagasu-search/sagasu/framework/internal/index"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
)

// index looks at the index without building it.
func (r *Report) index(ctx context.Context, x *index.Index) {
	st, err := x.State(ctx)
	r.Index = indexOf(st)
	r.Skipped = append(r.Skipped, st.Skipped...)
	switch {
	case len(r.Manuals) == 0: // said already
	case err != nil:
		r.broken("the index cannot be examined: "+toolset.AsError(err).Error(), "")
	case st.Damage != "":
		r.broken("the index is damaged: "+st.Damage, "run sagasu index; the next search would do the same")
	case st.Snapshot == "" && st.Pending == 0, st.Snapshot != "" && st.Fresh && st.Sections == 0:
		r.broken("the manuals hold nothing to search", "put Markdown (.md) or JSON (.json) files into them")
	case st.Snapshot == "":
		r.note("there is no index yet", "nothing: the first search builds it, or run sagasu index")
	case st.Pending > 0:
		r.note(fmt.Sprintf("a first index is under way: %d files are still to come", st.Pending),
			"nothing: searches get what is there and say so")
	case !st.Fresh:
		r.note("files changed since they were indexed", "nothing: the next search brings the index up to date")
	}
	r.skipped(len(r.Skipped), "files are not searched")
}

func indexOf(st index.State) Index {
	return Index{
		Dir: st.Dir, Snapshot: st.Snapshot, Fresh: st.Fresh, Damage: st.Damage, Created: st.Created,
		Sections: st.Sections, Files: st.Files, DiskBytes: st.DiskBytes,
	}
}

// vault looks for files of the vault that are not searched. Its index is made when
// it is searched first, so that there may be none yet.
func (r *Report) vault(ctx context.Context, x *index.Index) {
	if x == nil {
		return
	}
	st, err := x.State(ctx)
	if err != nil {
		r.broken("the vault cannot be examined: "+toolset.AsError(err).Error(), "check VAULT_ROOT and its permissions")
		return
	}
	r.Skipped = append(r.Skipped, st.Skipped...)
	r.skipped(len(st.Skipped), "files of the vault are not searched")
}

func (r *Report) skipped(n int, what string) {
	if n > 0 {
		r.note(fmt.Sprintf("%d %s", n, what), "the list of skipped files says why")
	}
}
