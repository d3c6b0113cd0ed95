package sdk_test

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/sagasu-search/sagasu/sdk/x/wire"
	pb "github.com/sagasu-search/sagasu/sdk/x/wire/strategypb"
)

// protoFiles are the proto files by name.
var protoFiles = map[string]protoreflect.FileDescriptor{
	"strategy.proto": pb.File_strategy_proto, "converter.proto": pb.File_converter_proto,
}

// protocol lists the messages and calls of the proto files.
func protocol() (out []string) {
	for _, name := range slices.Sorted(maps.Keys(protoFiles)) {
		out = append(out, protocolOf(protoFiles[name])...)
	}
	return out
}

func protocolOf(file protoreflect.FileDescriptor) (out []string) {
	for i := range file.Messages().Len() {
		message := file.Messages().Get(i)
		for j := range message.Fields().Len() {
			out = append(out, fmt.Sprintf("proto %s.%s", file.Package(), fieldLine(message.Fields().Get(j))))
		}
	}
	for i := range file.Services().Len() {
		service := file.Services().Get(i)
		for j := range service.Methods().Len() {
			m := service.Methods().Get(j)
			out = append(out, fmt.Sprintf("proto rpc /%s/%s(%s) returns (%s), streams %t %t",
				service.FullName(), m.Name(), m.Input().Name(), m.Output().Name(), m.IsStreamingClient(), m.IsStreamingServer()))
		}
	}
	return out
}

// fieldLine returns a field as the proto file has it.
func fieldLine(f protoreflect.FieldDescriptor) string {
	kind := f.Kind().String()
	if f.Message() != nil {
		kind = string(f.Message().Name())
	}
	switch {
	case f.IsMap():
		kind = fmt.Sprintf("map<%v, %v>", f.MapKey().Kind(), f.MapValue().Kind())
	case f.IsList():
		kind = "repeated " + kind
	case f.HasOptionalKeyword():
		kind = "optional " + kind
	}
	return fmt.Sprintf("%s: %s %s = %d;", f.Parent().Name(), kind, f.Name(), f.Number())
}

// environment lists what else a process and its host must agree on.
func environment() []string {
	return []string{
		fmt.Sprintf("handshake version %d, %s=%s", wire.ProtocolVersion, wire.Handshake.MagicCookieKey, wire.Handshake.MagicCookieValue),
		"environment " + wire.EnvExitWithParent, "environment " + wire.EnvStateDir, "environment " + wire.EnvLogLevel, "environment " + wire.EnvClientCert,
	}
}

var (
	protoMessage = regexp.MustCompile(`^message (\w+) \{`)
	protoField   = regexp.MustCompile(`^\s+((?:map<\w+, \w+>|(?:optional |repeated )?[\w.]+) \w+ = \d+;)`)
)

// TestProtoFile checks that the proto file says what the generated code does: other
// languages generate theirs from it.
func TestProtoFile(t *testing.T) {
	for name, file := range protoFiles {
		t.Run(name, func(t *testing.T) { checkProtoFile(t, name, file) })
	}
}

func checkProtoFile(t *testing.T, name string, file protoreflect.FileDescriptor) {
	data, err := os.ReadFile(filepath.Join("proto", name))
	if err != nil {
		t.Fatal(err)
	}
	message, written := "", []string{}
	for line := range strings.Lines(string(data)) {
		if m := protoMessage.FindStringSubmatch(line); m != nil {
			message = m[1]
		}
		if m := protoField.FindStringSubmatch(line); m != nil {
			written = append(written, fmt.Sprintf("proto %s.%s: %s", file.Package(), message, m[1]))
		}
	}
	for _, line := range protocolOf(file) {
		if !strings.HasPrefix(line, "proto rpc") && !slices.Contains(written, line) {
			t.Errorf("the proto file lacks %s", line)
		}
		written = slices.DeleteFunc(written, func(w string) bool { return w == line })
	}
	for _, line := range written {
		t.Errorf("the generated code lacks %s", line)
	}
}
