package cli

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// What the program does for a call grows with a text as the text does, whatever unit it repeats: no block
// of its code runs three times as often for texts of twice the length. Steps of strategies, which are
// processes of their own, are not among them.
func TestStepsGrowLinearly(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the program and calls it thousands of times")
	}
	program := filepath.Join(t.TempDir(), filepath.Base(binary))
	build := exec.Command("go", "build", "-cover", "-covermode=atomic", "-coverpkg=./...", "-o", program, "./cmd/sagasu")
	build.Dir = repository(t)
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	const spare = 200_000 // what a block may run more, since calls are cut by time and files are looked at by the clock
	short, long := stepsOf(t, program, 1500), stepsOf(t, program, 3000)
	var all int64
	for block, n := range long {
		all += n
		if n > 3*short[block]+spare {
			t.Errorf("%s ran %d times for texts of 1,500 characters, %d times for 3,000", block, short[block], n)
		}
	}
	t.Logf("%d steps in %d blocks", all, len(long))
}

// stepsOf is how often each block of the program ran while every tool was called with every unit
// repeated to length characters.
func stepsOf(t *testing.T, program string, length int) map[string]int64 {
	t.Helper()
	counters := t.TempDir()
	c := connectTo(t, program, append(environment(t), "GOCOVERDIR="+counters), everything(t, length)...)
	warm(c)
	for _, tool := range allTools(t) {
		for _, unit := range units {
			for _, arguments := range withText(t, tool, repeated(unit, length)) {
				c.call(tool.Name, arguments, new(any))
			}
		}
	}
	c.in.Close()
	if err := c.cmd.Wait(); err != nil {
		t.Fatal(err)
	}
	profile := filepath.Join(counters, "profile")
	if out, err := exec.Command("go", "tool", "covdata", "textfmt", "-i="+counters, "-o="+profile).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	f, err := os.Open(profile)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	steps := map[string]int64{}
	for lines := bufio.NewScanner(f); lines.Scan(); {
		block, counts, _ := strings.Cut(lines.Text(), " ")
		var statements, ran int64
		if n, _ := fmt.Sscan(counts, &statements, &ran); n == 2 {
			steps[block] += ran
		}
	}
	return steps
}
