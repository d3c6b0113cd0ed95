package wire

import (
	"context"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/go-hclog"
	"google.golang.org/grpc"

	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
)

func TestGroup(t *testing.T) {
	snap := publish(t, t.TempDir(), snapshot.KindManual)
	members := map[string]sdk.Strategy{}
	for _, name := range []string{"one", "two"} {
		members[name] = &recorder{search: func(ctx context.Context, _ *sdk.Request) (*sdk.Result, error) {
			return &sdk.Result{Warnings: []string{name, sdk.StateDir(ctx)}}, nil
		}}
	}
	calls := 0
	count := func(ctx context.Context, in any, _ *grpc.UnaryServerInfo, answer grpc.UnaryHandler) (any, error) {
		calls++
		return answer(ctx, in)
	}
	client := connectTo(t, NewGroup(members, hclog.NewNullLogger(), "state"), grpc.UnaryInterceptor(count))
	for _, name := range []string{"two", "one"} {
		got, err := client.Member(name).Search(t.Context(), &sdk.Request{Corpus: snap, Limit: 1})
		must(t, err)
		if diff := cmp.Diff([]string{name, filepath.Join("state", name)}, got.Warnings); diff != "" {
			t.Error(diff)
		}
	}
	if _, err := client.Member("three").Describe(t.Context()); err == nil {
		t.Error("one that is no member answered")
	}
	if _, err := client.Describe(t.Context()); err == nil {
		t.Error("a group answered as one strategy")
	}
	if calls != 2 {
		t.Errorf("%d of 2 calls were intercepted", calls)
	}
}
