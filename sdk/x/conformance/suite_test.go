package conformance

import (
	"runtime/debug"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"

	"github.com/sagasu-search/sagasu/sdk/x/wire"
)

func TestPlaceIsThatOfTheFirstPanic(t *testing.T) {
	stack := func() (stack string) {
		defer func() {
			_ = recover()
			stack = string(debug.Stack())
		}()
		defer func() { panic(recover()) }() // passes it on
		panicHere()
		return ""
	}()
	if got := place(stack); !strings.Contains(got, "suite_test.go:33") {
		t.Errorf("it came from%s\n%s", got, stack)
	}
}

//go:noinline
func panicHere() {
	panic("on purpose") // line 33
}

// lasting is a service with a call that lasts longer than anybody waits.
type lasting struct{ wire.Service }

func (lasting) Close() error {
	time.Sleep(2 * defaultTimeout)
	return nil
}

func TestCloseDoesNotWaitForever(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		conn, err := grpc.NewClient("passthrough:", grpc.WithTransportCredentials(insecure.NewCredentials()))
		if err != nil {
			t.Fatal(err)
		}
		r := &remote{conn: conn, transport: grpc.NewServer(), server: lasting{}}
		if err := r.Close(); err == nil || !strings.Contains(err.Error(), "still run") {
			t.Errorf("a call that lasts gave %v", err)
		}
		time.Sleep(2 * defaultTimeout) // until it ends
	})
}
