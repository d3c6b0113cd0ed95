package adapt

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gofrs/flock"
	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"
)

const logName = ".system/adaptive_stats.jsonl"

// TestMain lets the test binary be a second process that appends rows.
func TestMain(m *testing.M) {
	if dir := os.Getenv("ADAPT_TEST_APPEND"); dir != "" {
		n, _ := strconv.Atoi(os.Getenv("ADAPT_TEST_ROWS"))
		if err := appendMany(dir, n); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	goleak.VerifyTestMain(m)
}

const rotateInTests = 96 << 10

func appendMany(dir string, n int) error {
	l, err := OpenLog(dir, logName)
	if err != nil {
		return err
	}
	defer l.Close()
	l.rotate = rotateInTests
	for i := range n {
		if _, err := l.Append(rowAt(int64(i + 1))); err != nil {
			return err
		}
	}
	return nil
}

func rowAt(at int64) Row {
	return Row{Time: at, Tool: Tool, QueryHash: QueryHash("初期化"), Candidates: 4, CacheMode: "miss",
		State: State{Thresholds: base, Base: base}}
}

func open(t *testing.T, dir string) *Log {
	t.Helper()
	l, err := OpenLog(dir, logName)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	return l
}

// times returns the times of the rows in the last most bytes.
func times(t *testing.T, l *Log, most int64) []int64 {
	t.Helper()
	rows, err := l.Rows(most)
	if err != nil {
		t.Fatal(err)
	}
	out := []int64{}
	for _, r := range rows {
		out = append(out, r.Time)
	}
	return out
}

func add(t *testing.T, l *Log, at ...int64) {
	t.Helper()
	for _, a := range at {
		if _, err := l.Append(rowAt(a)); err != nil {
			t.Fatal(err)
		}
	}
}

// scribble appends bytes that are not a row.
func scribble(t *testing.T, dir, s string) {
	t.Helper()
	f, err := os.OpenFile(filepath.Join(dir, logName), os.O_APPEND|os.O_WRONLY|os.O_CREATE, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := f.WriteString(s); err != nil {
		t.Fatal(err)
	}
}

func TestRowRoundTrip(t *testing.T) {
	score, recall := 1.0, 0.5
	row := rowAt(5)
	row.CacheScore, row.Recall, row.Used, row.Recalled = &score, &recall, 2, 1
	row.Escalation, row.Expanded, row.CutoffReason = []string{ReasonFew}, true, "candidate_cap"
	line, err := row.encode()
	if err != nil {
		t.Fatal(err)
	}
	got, ok := parse(line, time.Unix(5, 0))
	if diff := cmp.Diff(row, got); !ok || diff != "" {
		t.Errorf("read %t (-want +got):\n%s", ok, diff)
	}
	if strings.Contains(string(line), "初期化") || QueryHash("初期化") != QueryHash(" 初期化 ") || QueryHash("a") == QueryHash("b") {
		t.Error("the query is told, or not told apart")
	}
	row.CutoffReason = strings.Repeat("x", longestRow)
	if _, err := row.encode(); err == nil {
		t.Error("an endless row should be refused")
	}
}

func TestNoRows(t *testing.T) {
	now := time.Unix(1000, 0)
	for name, line := range map[string]string{
		"text": "hello", "another tool": `{"tool":"vault_coverage","ts":5}`, "no time": `{"tool":"manual_find"}`,
		"from the future":      `{"tool":"manual_find","ts":99999}`,
		"more found than used": `{"tool":"manual_find","ts":5,"used":1,"used_candidates":2}`,
		"an impossible share":  `{"tool":"manual_find","ts":5,"file_bias_ratio":7}`,
		"torn":                 `{"tool":"manual_find","ts":5,"use`,
	} {
		if r, ok := parse([]byte(line), now); ok {
			t.Errorf("%s is read as %+v", name, r)
		}
	}
}

func TestRowsOfADamagedFile(t *testing.T) {
	dir := t.TempDir()
	a, b := open(t, dir), open(t, dir)
	step := func(name string, l *Log, want ...int64) {
		t.Helper()
		if diff := cmp.Diff(append([]int64{}, want...), times(t, l, 1<<20)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
	step("nothing there", a)
	add(t, a, 1, 2)
	add(t, b, 3)
	step("rows of two processes", a, 1, 2, 3)
	scribble(t, dir, `{"ts":9,"tool":"manu`)
	step("a torn line", a, 1, 2, 3)
	add(t, b, 4)
	step("a row behind it", a, 1, 2, 3, 4)
	scribble(t, dir, strings.Repeat("x", 2*longestRow))
	add(t, b, 5)
	step("a row behind an endless line", a, 1, 2, 3, 4, 5)
	b.rotate = 1
	add(t, b, 6)
	add(t, a, 7)
	step("over a rotation", a, 1, 2, 3, 4, 5, 6, 7)
	if err := os.Truncate(filepath.Join(dir, logName), 0); err != nil {
		t.Fatal(err)
	}
	add(t, a, 8)
	step("a file that was emptied", a, 1, 2, 3, 4, 5, 8)
}

// A start reads only the last rows of a file of any size, and an append renames it.
func TestHugeTornFile(t *testing.T) {
	dir := t.TempDir()
	l := open(t, dir)
	add(t, l, 1)
	if err := os.Truncate(filepath.Join(dir, logName), 100<<20); err != nil {
		t.Fatal(err)
	}
	line, err := rowAt(2).encode()
	if err != nil {
		t.Fatal(err)
	}
	scribble(t, dir, "\n"+strings.Repeat(string(line), 1000)+`{"ts":`)
	got := times(t, l, startTail)
	if want := startTail/len(line) - 1; len(got) < want || len(got) > want+1 {
		t.Errorf("%d rows are read, want the last %d", len(got), want)
	}
	add(t, l, 3)
	if got := times(t, l, startTail); got[len(got)-1] != 3 {
		t.Errorf("the last row is %d, want 3", got[len(got)-1])
	}
	if info, err := os.Stat(filepath.Join(dir, logName)); err != nil || info.Size() > rotateAt {
		t.Errorf("the file was not renamed: %v", err)
	}
}

func TestRows(t *testing.T) {
	dir := t.TempDir()
	l := open(t, dir)
	add(t, l, 1, 2)
	l.rotate = 1
	add(t, l, 3)
	l.rotate = rotateAt
	add(t, l, 4)
	line, _ := rowAt(4).encode()
	for most, want := range map[int64][]int64{
		1 << 20: {1, 2, 3, 4}, int64(len(line)): {4}, int64(len(line) - 1): {}, int64(3 * len(line)): {2, 3, 4},
	} {
		if diff := cmp.Diff(want, times(t, l, most)); diff != "" {
			t.Errorf("%d bytes (-want +got):\n%s", most, diff)
		}
	}
	if err := os.Remove(filepath.Join(dir, logName)); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]int64{1, 2}, times(t, l, 1<<20)); diff != "" {
		t.Errorf("between rename and next row (-want +got):\n%s", diff)
	}
}

func TestLinksAreRefused(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("links need a privilege")
	}
	for name, link := range map[string]func(dir, target string) error{
		"file": func(dir, target string) error {
			os.Mkdir(filepath.Join(dir, ".system"), 0o700)
			return os.Symlink(filepath.Join(target, "note.md"), filepath.Join(dir, logName))
		},
		"folder": func(dir, target string) error { return os.Symlink("notes", filepath.Join(dir, ".system")) },
		"lock": func(dir, target string) error {
			os.Mkdir(filepath.Join(dir, ".system"), 0o700)
			line, _ := rowAt(1).encode()
			os.WriteFile(filepath.Join(dir, logName), append(line, make([]byte, rotateInTests)...), 0o600)
			return os.Symlink(filepath.Join(target, "lock"), filepath.Join(dir, logName+lockSuffix))
		},
	} {
		dir := t.TempDir()
		notes := filepath.Join(dir, "notes")
		if err := os.Mkdir(notes, 0o700); err != nil {
			t.Fatal(err)
		}
		if err := link(dir, "../notes"); err != nil {
			t.Fatal(err)
		}
		l := open(t, dir)
		l.rotate = rotateInTests
		if _, err := l.Append(rowAt(1)); err == nil {
			t.Errorf("%s: a row went through a link", name)
		}
		if left, _ := os.ReadDir(notes); len(left) > 0 {
			t.Errorf("%s: %v was written", name, left)
		}
	}
}

// While another process holds the lock, nobody renames the file, however old the lock file is. The lock of a process
// that died is free.
func TestRotationIsLocked(t *testing.T) {
	dir := t.TempDir()
	l := open(t, dir)
	add(t, l, 1)
	name, rotated := filepath.Join(dir, logName+lockSuffix), filepath.Join(dir, logName+rotatedSuffix)
	lock := flock.New(name)
	if held, err := lock.TryLock(); !held || err != nil {
		t.Fatal(held, err)
	}
	long := time.Now().Add(-time.Hour)
	if err := os.Chtimes(name, long, long); err != nil {
		t.Fatal(err)
	}
	l.rotate = 1
	add(t, l, 2)
	if _, err := os.Stat(rotated); err == nil {
		t.Fatal("rotated although another process holds the lock")
	}
	if err := lock.Close(); err != nil {
		t.Fatal(err)
	}
	add(t, l, 3)
	if _, err := os.Stat(rotated); err != nil {
		t.Error(err)
	}
	if diff := cmp.Diff([]int64{1, 2, 3}, times(t, l, startTail)); diff != "" {
		t.Errorf("rows (-want +got):\n%s", diff)
	}
}

// Several processes append and rotate, and no row is lost or torn. A line may be empty: a process that sees another's
// half-written row begins a new line.
func TestSeveralProcesses(t *testing.T) {
	dir := t.TempDir()
	line, err := rowAt(1).encode()
	if err != nil {
		t.Fatal(err)
	}
	const processes = 3
	each := rotateInTests * 3 / 2 / processes / len(line) // so that the file is renamed once
	var wg sync.WaitGroup
	for range processes {
		wg.Go(func() {
			cmd := exec.Command(os.Args[0])
			cmd.Env = append(os.Environ(), "ADAPT_TEST_APPEND="+dir, "ADAPT_TEST_ROWS="+strconv.Itoa(each))
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Errorf("%v: %s", err, out)
			}
		})
	}
	wg.Wait()
	l := open(t, dir)
	if got := times(t, l, startTail); len(got) != processes*each {
		t.Errorf("%d rows, want %d", len(got), processes*each)
	}
	for _, name := range []string{logName, logName + rotatedSuffix} {
		data, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil || !bytes.HasSuffix(data, []byte("}\n")) {
			t.Errorf("%s: torn, or not there: %v", name, err)
		}
		for line := range bytes.Lines(data) {
			if _, ok := parse(line, time.Now()); !ok && len(line) > 1 {
				t.Errorf("%s: torn: %q", name, line)
			}
		}
	}
}

// Whatever a file contains, reading it succeeds, finds the row that follows, and leads to no thresholds out of range.
func FuzzRows(f *testing.F) {
	line, err := rowAt(1).encode()
	if err != nil {
		f.Fatal(err)
	}
	for _, s := range []string{string(line), string(line) + `{"ts":1,"tool":"manual_find","candidate`, "\n\n\x00\xff{}[]",
		`{"tool":"manual_find","ts":1e99}`, `{"tool":"manual_find","ts":5,"candidate_low_threshold":-9,"threshold_age":-5}`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		next, err := rowAt(77).encode()
		if err != nil {
			t.Fatal(err)
		}
		rows := parseLines(append(append(data[:len(data):len(data)], '\n'), next...), time.Unix(1000, 0))
		if len(rows) == 0 || rows[len(rows)-1].Time != 77 {
			t.Fatalf("%d rows, the last is not that at the end", len(rows))
		}
		m := newTuner(policy, nil)
		for _, r := range rows {
			m.add(r)
			if now := m.state.Thresholds; now != now.within() {
				t.Fatalf("rows led to %+v", now)
			}
		}
		if now := newTuner(policy, rows[:len(rows)-1]).state.Thresholds; now != now.within() {
			t.Fatalf("a start came to %+v", now)
		}
	})
}

// A row is found after any remains of a line.
func TestRowBehindARest(t *testing.T) {
	for _, rest := range []string{"", "\n", "x", `{"tool":"manual_find","ts":1`, "\xff\x00", "\n\n{}"} {
		dir := t.TempDir()
		l := open(t, dir)
		add(t, l, 1)
		scribble(t, dir, rest)
		add(t, l, 77)
		if diff := cmp.Diff([]int64{1, 77}, times(t, l, startTail)); diff != "" {
			t.Errorf("%q (-want +got):\n%s", rest, diff)
		}
	}
}
