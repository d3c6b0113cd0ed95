package host

import (
	"bufio"
	"io"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/go-hclog"
)

func TestHandshakeReader(t *testing.T) {
	const shake = "1|1|unix|/tmp/own/s|grpc|cert\n"
	for in, want := range map[string]string{
		shake:                                    shake,
		"hello\n1|2|3\n" + shake + "bye\n":       shake,
		shake + "1|1|tcp|127.0.0.1:1|grpc|x\n":   shake,
		strings.Repeat("x", 9000) + "\n" + shake: shake,
		"no handshake\n":                         "",
		"1|1|unix|/run/docker.sock|grpc|cert\n":  "",
		"1|1|unix|/tmp/own/../s|grpc|cert\n":     "",
		"1|1|tcp|192.0.2.1:443|grpc|cert\n":      "",
		"":                                       "",
	} {
		r := &runner{logger: hclog.NewNullLogger(), dir: "/tmp/own"}
		got, err := io.ReadAll(iotest.OneByteReader(&handshakeReader{in: bufio.NewReader(strings.NewReader(in)), runner: r}))
		if err != nil || string(got) != want {
			t.Errorf("%.40q gave %q, %v", in, got, err)
		}
		if r.handshaken.Load() != (want != "") {
			t.Errorf("%.40q: handshaken %v", in, r.handshaken.Load())
		}
		if n := int(r.extraStdout.Load()); n != len(in)-len(want) {
			t.Errorf("%.40q: %d bytes were something else", in, n)
		}
	}
}

func TestTail(t *testing.T) {
	var tl tail
	if got := tl.lastLine(); got != "" {
		t.Errorf("an empty tail says %q", got)
	}
	for range 1000 {
		_, _ = tl.Write([]byte("some noise\n"))
	}
	_, _ = tl.Write([]byte("the reason\n{\"a log\":1}\n\n"))
	var panicked tail
	m := newMeter(io.TeeReader(strings.NewReader("starting\npanic: on purpose\n\ngoroutine 1 [running]:\n"+
		strings.Repeat("main.main()\n\tmain.go:6 +0x25\n", 500)+"{\"a log\":1}\nexit status 2\n"), &panicked), nil, time.Now)
	m.dies = panicked.died
	passed, err := io.ReadAll(m)
	must(t, err)
	if got := panicked.lastLine(); got != "panic: on purpose" {
		t.Errorf("a panic says %q", got)
	}
	quiet := strings.Count(string(passed), "\n"+debugging)
	if lines := strings.Count(string(passed), "\n"); quiet != lines-2 || !strings.Contains(string(passed), "\n{\"a log\"") {
		t.Errorf("%d of %d lines are for debugging: %.200s", quiet, lines, passed)
	}
	for said, want := range map[string]bool{
		"fatal error: runtime: out of memory": true, "panic: on purpose": false, "": false,
		"terminate called after throwing an instance of 'std::bad_alloc'": true,
	} {
		var ended tail
		ended.died(said)
		if ended.starved() != want {
			t.Errorf("%q: no memory is %v", said, !want)
		}
	}
	if got := tl.lastLine(); got != "the reason" {
		t.Errorf("last line %q", got)
	}
	var raised tail
	_, _ = raised.Write([]byte("Traceback (most recent call last):\n  File \"/s.py\", line 9, in <module>\n    main()\n" +
		"  File \"/s.py\", line 3, in main\n    nothing\nNameError: name 'nothing' is not defined\n"))
	if got := raised.lastLine(); got != `NameError: name 'nothing' is not defined (File "/s.py", line 3, in main)` {
		t.Errorf("a traceback says %q", got)
	}
	if len(tl.data) > tailSize {
		t.Errorf("%d bytes kept", len(tl.data))
	}
}

func TestBackoffDelays(t *testing.T) {
	now := time.Unix(1_000_000, 0)
	var b backoff
	var got []time.Duration
	for range 12 {
		b.failed(now)
		got = append(got, b.wait(now))
	}
	ms := time.Millisecond
	want := []time.Duration{
		0, 100 * ms, 200 * ms, 400 * ms, 800 * ms, 1600 * ms, 3200 * ms, 6400 * ms, 12800 * ms, 25600 * ms,
		backoffMax, backoffMax,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if b.wait(now.Add(backoffMax)) != 0 {
		t.Error("the wait does not pass")
	}
	b.worked()
	if b.failed(now); b.wait(now) != 0 {
		t.Error("an answer does not forgive")
	}
}

func TestLatencyMedian(t *testing.T) {
	var l latency
	if l.median() != 0 {
		t.Error("a median of nothing")
	}
	for i := range 100 {
		l.add(time.Duration(i))
	}
	if got := l.median(); got != 36+32 { // of 36 to 99
		t.Errorf("median %d", got)
	}
}
