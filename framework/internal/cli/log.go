package cli

import (
	"bytes"
	"io"
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
