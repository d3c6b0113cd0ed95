package wire

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"google.golang.org/protobuf/reflect/protoreflect"

	pb "github.com/sagasu-search/sagasu/sdk/wire/strategypb"
)

var update = flag.Bool("update", false, "add what is new to the promised protocol")

// promised holds every element of the protocol that was ever published.
var promised = filepath.Join("..", "proto", "strategy.v1.txt")

// elements are the lines that make out a protocol on the wire.
func elements(file protoreflect.FileDescriptor) []string {
	var out []string
	services := file.Services()
	for i := range services.Len() {
		methods := services.Get(i).Methods()
		for j := range methods.Len() {
			m := methods.Get(j)
			out = append(out, fmt.Sprintf("rpc %s %s %v %s %v", m.FullName(), m.Input().FullName(), m.IsStreamingClient(), m.Output().FullName(), m.IsStreamingServer()))
		}
	}
	messages := file.Messages()
	for i := range messages.Len() {
		fields := messages.Get(i).Fields()
		for j := range fields.Len() {
			f := fields.Get(j)
			kind := f.Kind().String()
			if f.Message() != nil {
				kind = string(f.Message().FullName())
			}
			out = append(out, fmt.Sprintf("field %s = %d %s %s presence:%v packed:%v", f.FullName(), f.Number(), f.Cardinality(), kind, f.HasPresence(), f.IsPacked()))
		}
	}
	slices.Sort(out)
	return out
}

// What speaks the protocol today speaks it tomorrow: elements may be added, never changed
// or taken away. A change that breaks this is another version of the package.
func TestTheProtocolKeepsItsPromise(t *testing.T) {
	now := elements(pb.File_strategy_proto)
	data, err := os.ReadFile(promised)
	must(t, err)
	then := strings.FieldsFunc(string(data), func(r rune) bool { return r == '\n' })
	for _, e := range then {
		if !slices.Contains(now, e) {
			t.Errorf("gone or changed: %s", e)
		}
	}
	fresh := slices.DeleteFunc(slices.Clone(now), func(e string) bool { return slices.Contains(then, e) })
	if *update && !t.Failed() {
		must(t, os.WriteFile(promised, []byte(strings.Join(now, "\n")+"\n"), 0o644))
	} else if len(fresh) > 0 {
		t.Errorf("new, and not promised yet (go test ./sdk/wire -run Promise -update):\n%s", strings.Join(fresh, "\n"))
	}
}
