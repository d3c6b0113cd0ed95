package host

import (
	"bytes"
	"io"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/hashicorp/go-hclog"
)

func TestMeter(t *testing.T) {
	var log bytes.Buffer
	logger := hclog.New(&hclog.LoggerOptions{Output: &log})
	now := time.Unix(1_000_000, 0)
	line := strings.Repeat("x", 1023) + "\n"
	in, flood := io.Pipe()
	m := newMeter(in, logger, func() time.Time { return now })
	passed := make(chan int)
	go func() {
		got, _ := io.Copy(io.Discard, m) // ends with the flood
		passed <- int(got)
	}()
	for range 3 * meterBytes / len(line) {
		_, err := io.WriteString(flood, line)
		must(t, err)
	}
	must(t, flood.Close())
	if got := <-passed; got != meterBytes {
		t.Errorf("%d bytes passed", got)
	}
	m = newMeter(strings.NewReader("later\n"), logger, func() time.Time { return now })
	m.dropped, m.began = 5, now.Add(-meterWindow)
	if got, err := io.ReadAll(iotest.OneByteReader(m)); err != nil || string(got) != "later\n" {
		t.Errorf("%q, %v", got, err)
	}
	if !strings.Contains(log.String(), "dropped_bytes=5") {
		t.Errorf("the log says %s", &log)
	}
}

func TestMeterPassesWhatIsNoFlood(t *testing.T) {
	for _, want := range []string{"", "a line\nand another\n", "no end", strings.Repeat("long", meterLine)} {
		m := newMeter(iotest.HalfReader(strings.NewReader(want)), hclog.NewNullLogger(), time.Now)
		if got, err := io.ReadAll(m); err != nil || string(got) != want[:min(len(want), meterBytes)] {
			t.Errorf("%d of %d bytes, %v", len(got), len(want), err)
		}
	}
}

func TestALogDoesNotSpeakForTheHost(t *testing.T) {
	long := `{"@message":"x","msg":"` + strings.Repeat("x", 2*meterLine)
	for in, want := range map[string]string{
		`{"@message":"x","module":"sagasu","ts":"1","level":"info","msg":"y","k":1}` + "\n": `{"@message":"x","k":1}` + "\n",
		` {"module":"sagasu"}`:                  "{}\n",
		`{"@message":"x","k":{"msg":1}}` + "\n": `{"@message":"x","k":{"msg":1}}` + "\n",
		"{ no JSON\n":                           "{ no JSON\n",
		long + `"}`:                             long[:meterLine] + "\n" + long[meterLine:] + `"}`,
	} {
		got, err := io.ReadAll(newMeter(strings.NewReader(in), hclog.NewNullLogger(), time.Now))
		if err != nil || string(got) != want {
			t.Errorf("%.100q became %.100q, %v", in, got, err)
		}
	}
}

// TestPrintedLines has each line of what is printed at once be an entry of its own.
func TestPrintedLines(t *testing.T) {
	var log bytes.Buffer
	p := newPrinted(hclog.New(&hclog.LoggerOptions{Level: hclog.Debug, Output: &log, DisableTime: true}), "s")
	if n, err := p.Write([]byte("one\ntwo\n")); n != 8 || err != nil {
		t.Fatal(n, err)
	}
	if got, want := log.String(), "[DEBUG] s: one\n[DEBUG] s: two\n"; got != want {
		t.Errorf("logged %q, want %q", got, want)
	}
}
