package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/hashicorp/go-hclog"
)

// logger shows, in readable form, everything that the strategy under development logs and prints and that the host says
// about it. Other messages are shown from level on.
func (d *developed) logger(level hclog.Level) hclog.Logger {
	return hclog.New(&hclog.LoggerOptions{
		Name: "sagasu", Level: hclog.Debug, JSONFormat: true,
		Output: &devLines{named: d, level: level, out: d.out, rest: logLines{os.Stderr}},
	})
}

// devLines parses the lines of a log.
type devLines struct {
	named     *developed
	level     hclog.Level
	out, rest io.Writer
}

// transportSays matches what the transport logs in a strategy's name.
const transportSays = "plugin address"

// Write implements io.Writer.
func (l *devLines) Write(line []byte) (int, error) {
	var entry map[string]any
	if json.Unmarshal(line, &entry) != nil {
		return l.rest.Write(line)
	}
	name := l.named.plugin.Name
	if entry["@module"] != "sagasu."+name+"."+name && entry["strategy"] != name {
		if level, _ := entry["@level"].(string); hclog.LevelFromString(level) >= l.level {
			return l.rest.Write(line)
		}
		return len(line), nil
	}
	if entry["@message"] == transportSays {
		return len(line), nil
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, "%s %-5s %s", name, entry["@level"], plain(fmt.Sprint(entry["@message"])))
	for _, key := range []string{"@level", "@message", "@module", "@timestamp", "timestamp", "strategy"} {
		delete(entry, key)
	}
	stack, _ := entry["stack"].(string)
	delete(entry, "stack")
	for _, key := range slices.Sorted(maps.Keys(entry)) {
		fmt.Fprintf(&b, " %s=%s", plain(key), plain(fmt.Sprint(entry[key])))
	}
	b.WriteByte('\n')
	for line := range strings.Lines(stack) {
		fmt.Fprintln(&b, "   ", strings.TrimRight(plain(line), " "))
	}
	if _, err := l.out.Write(b.Bytes()); err != nil {
		return 0, err
	}
	return len(line), nil
}
