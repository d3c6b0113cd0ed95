package cli

import (
	"bytes"
	"io"
	"os"
	"runtime/debug"
	"time"
)

// logLines renames the members that hclog marks with an @, so that a line reads
// {"ts": …, "level": …, "msg": …}. hclog writes a line at a time, and inside a
// JSON string the quotes of these names would be escaped.
type logLines struct{ out io.Writer }

var logNames = []struct{ from, to []byte }{
	{[]byte(`"@timestamp":`), []byte(`"ts":`)},
	{[]byte(`"@level":`), []byte(`"level":`)},
	{[]byte(`"@message":`), []byte(`"msg":`)},
	{[]byte(`"@module":`), []byte(`"module":`)},
}

func (l logLines) Write(line []byte) (int, error) {
	renamed := line
	for _, n := range logNames {
		renamed = bytes.Replace(renamed, n.from, n.to, 1)
	}
	if _, err := l.out.Write(renamed); err != nil {
		return 0, err
	}
	return len(line), nil
}

const (
	// startTime is how long the start of a server counts as one.
	startTime = time.Second
	// startGC is the share of its heap, in percent, that a server lets grow before it
	// collects garbage while it starts.
	startGC = 400
)

// easeStart puts off the collection of garbage for the length of a server's start,
// which wants the cores for other work. A rule that the user gave stays.
func easeStart(length time.Duration) {
	if os.Getenv("GOGC") != "" {
		return
	}
	usual := debug.SetGCPercent(startGC)
	time.AfterFunc(length, func() { debug.SetGCPercent(usual) })
}
