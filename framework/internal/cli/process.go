package cli

import (
	"io"
	"os"
	"runtime/debug"
	"strings"
	"time"
)

// logLines renames the members that hclog marks with an @, so that a line reads
// {"ts": …, "level": …, "msg": …}. hclog writes a line at a time, and inside a
// JSON string the quotes of these names would be escaped.
type logLines struct{ out io.Writer }

var logNames = strings.NewReplacer(`"@timestamp":`, `"ts":`, `"@level":`, `"level":`, `"@message":`, `"msg":`,
	`"@module":`, `"module":`)

func (l logLines) Write(line []byte) (int, error) {
	if _, err := io.WriteString(l.out, logNames.Replace(string(line))); err != nil {
		return 0, err
	}
	return len(line), nil
}

const (
	// startTime is how long the start of a process counts as one.
	startTime = time.Second
	// startGC is the share of its heap, in percent, that a process lets grow before it
	// collects garbage while it starts.
	startGC = 400
	// usualGC is the same afterwards. With 100 here and in strategies a search takes 9 % more CPU
	// and all processes 11 MB less, with 200 it takes 3 % less and they 19 MB more.
	usualGC = 150
)

// easeStart puts off the collection of garbage for the length of a start,
// which wants the cores for other work. A rule that the user gave stays.
func easeStart(length time.Duration) {
	if os.Getenv("GOGC") != "" {
		return
	}
	debug.SetGCPercent(startGC)
	time.AfterFunc(length, func() { debug.SetGCPercent(usualGC) })
}

// softHeap is what the heap takes in bytes, if it can, while a large index is built. Without
// it the heap doubles before garbage is collected, whatever the machine has.
const softHeap = 640 << 20

// boundHeap has garbage collected more often near softHeap. A limit that the user gave stays.
func boundHeap() {
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(softHeap)
	}
}
