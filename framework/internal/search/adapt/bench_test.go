package adapt

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/hashicorp/go-hclog"
)

// BenchmarkStart starts with a file of 100 MB.
func BenchmarkStart(b *testing.B) {
	dir := b.TempDir()
	line, err := rowAt(1).encode()
	if err != nil {
		b.Fatal(err)
	}
	path := filepath.Join(dir, logName)
	if err := os.Mkdir(filepath.Dir(path), 0o700); err != nil {
		b.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(strings.Repeat(string(line), (100<<20)/len(line))), 0o600); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		l, err := OpenLog(dir, logName)
		if err != nil {
			b.Fatal(err)
		}
		r := NewRecorder(Options{Log: l, Policy: policy, Tuning: true, TTL: time.Hour, Logger: hclog.NewNullLogger()})
		r.Close()
	}
}

// BenchmarkFound measures what a search waits for.
func BenchmarkFound(b *testing.B) {
	l, err := OpenLog(b.TempDir(), logName)
	if err != nil {
		b.Fatal(err)
	}
	r := NewRecorder(Options{Log: l, Policy: policy, Tuning: true, TTL: time.Hour, Logger: hclog.NewNullLogger()})
	defer r.Close()
	for b.Loop() {
		r.Found(Row{Candidates: 1}, nil)
	}
}

// BenchmarkRow measures the writer's work for one row.
func BenchmarkRow(b *testing.B) {
	l, err := OpenLog(b.TempDir(), logName)
	if err != nil {
		b.Fatal(err)
	}
	defer l.Close()
	m := newTuner(policy, nil)
	for b.Loop() {
		if _, err := l.Append(rowAt(1)); err != nil {
			b.Fatal(err)
		}
		m.add(rowAt(1))
	}
}
