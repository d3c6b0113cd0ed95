package adapt

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/hashicorp/go-hclog"
)

// mine returns files that begin with a row of statistics.
func mine(t *testing.T) map[string]string {
	t.Helper()
	row, err := rowAt(1).encode()
	if err != nil {
		t.Fatal(err)
	}
	gain, err := Row{Time: 1, Tool: "vault_coverage"}.encode()
	if err != nil {
		t.Fatal(err)
	}
	return map[string]string{
		"empty": "", "a row of a search": string(row), "a row of a gain": string(gain),
		"a torn row": string(row[:len(row)/2]), "a row and a rest": string(row) + "{\"x",
	}
}

// foreign are files of other programs.
var foreign = map[string]string{
	"a configuration":            "[core]\n\tbare = false\n",
	"text":                       "x",
	"an empty line":              "\n",
	"JSON":                       "{\"a\": 1}\n",
	"JSON lines":                 "{\"ts\":1,\"tool\":\"other\"}\n{\"ts\":2,\"tool\":\"other\"}\n",
	"an unfinished line of JSON": "{\"ts\":1,\"tool\":\"other\"}",
	"half a line":                "{\"ts\":1,\"level\":\"in",
	"numbers":                    "1\n2\n",
	"null":                       "null\n",
	"binary":                     "\x00\xff\x00",
	"an endless line":            strings.Repeat("x", 2*longestRow),
}

func write(t *testing.T, dir, name, body string) string {
	t.Helper()
	file := filepath.Join(dir, name)
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(body), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// leftAlone checks the content of the files, and that there are no others.
func leftAlone(t *testing.T, want map[string]string, dir string) {
	t.Helper()
	entries, err := os.ReadDir(filepath.Join(dir, filepath.Dir(logName)))
	if err != nil || len(entries) != len(want) {
		t.Errorf("files %v, want %d: %v", entries, len(want), err)
	}
	for name, body := range want {
		if got, err := os.ReadFile(filepath.Join(dir, name)); err != nil || string(got) != body {
			t.Errorf("%s became %.80q: %v", name, got, err)
		}
	}
}

// Rows are written only to a file that is empty or begins with a row.
func TestForeignFilesAreLeftAlone(t *testing.T) {
	for name, body := range foreign {
		t.Run(name, func(t *testing.T) {
			for _, rotate := range []int64{1, rotateAt} {
				dir := t.TempDir()
				write(t, dir, logName, body)
				l := open(t, dir)
				l.rotate = rotate
				if _, err := l.Append(rowAt(1)); err == nil || !strings.Contains(err.Error(), logName) {
					t.Errorf("appended: %v", err)
				}
				leftAlone(t, map[string]string{logName: body}, dir)
			}
		})
	}
	for name, body := range mine(t) {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			file := write(t, dir, logName, body)
			add(t, open(t, dir), 77)
			got, err := os.ReadFile(file)
			if err != nil || !strings.HasPrefix(string(got), body) || len(got) <= len(body) {
				t.Errorf("%q: %v", got, err)
			}
		})
	}
}

// A full file does not replace a file of another program, and stops growing.
func TestRotationReplacesNothingForeign(t *testing.T) {
	row := mine(t)["a row of a search"]
	for name, body := range foreign {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			write(t, dir, logName, row)
			write(t, dir, logName+rotatedSuffix, body)
			l := open(t, dir)
			l.rotate = 1
			for range 2 {
				if _, err := l.Append(rowAt(2)); err == nil || !strings.Contains(err.Error(), logName+rotatedSuffix) {
					t.Errorf("appended: %v", err)
				}
			}
			want := map[string]string{logName: row, logName + rotatedSuffix: body, logName + lockSuffix: ""}
			leftAlone(t, want, dir)
		})
	}
	dir := t.TempDir()
	write(t, dir, logName, row)
	older := write(t, dir, logName+rotatedSuffix, mine(t)["a row of a gain"])
	l := open(t, dir)
	l.rotate = 1
	add(t, l, 2)
	if got, err := os.ReadFile(older); err != nil || string(got) != row {
		t.Errorf("our own older file is %q: %v", got, err)
	}
}

// A folder in the place of the older file is not replaced either.
func TestRotationReplacesNoFolder(t *testing.T) {
	dir, row := t.TempDir(), mine(t)["a row of a search"]
	write(t, dir, logName, row)
	write(t, dir, filepath.Join(logName+rotatedSuffix, "x"), "mine")
	l := open(t, dir)
	l.rotate = 1
	if _, err := l.Append(rowAt(2)); err == nil {
		t.Error("appended")
	}
}

// A refused file costs one warning, and searches continue.
func TestAForeignFileCostsAWarning(t *testing.T) {
	dir := t.TempDir()
	body := foreign["a configuration"]
	write(t, dir, logName, body)
	l, err := OpenLog(dir, logName)
	if err != nil {
		t.Fatal(err)
	}
	var said bytes.Buffer
	logger := hclog.New(&hclog.LoggerOptions{Output: &said})
	r := NewRecorder(Options{Log: l, Policy: policy, Tuning: true, TTL: time.Hour, Logger: logger})
	for range 3 {
		r.Found(Row{Candidates: 1}, nil)
	}
	if err := r.Close(); err != nil {
		t.Error(err)
	}
	if n := strings.Count(said.String(), "[WARN]"); n != 1 || !strings.Contains(said.String(), "statistics") {
		t.Errorf("%d warnings: %s", n, &said)
	}
	leftAlone(t, map[string]string{logName: body}, dir)
}
