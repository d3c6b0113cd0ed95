package vault_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/sagasu-search/sagasu/framework/internal/corpus"
	"github.com/sagasu-search/sagasu/framework/internal/rootfs"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
	"github.com/sagasu-search/sagasu/framework/internal/vault"
	"github.com/sagasu-search/sagasu/framework/internal/vault/bridge"
)

// The tests with processes start this binary again as a writer of one vault.
const (
	envRole  = "SAGASU_TEST_WRITER" // crash or together
	envVault = "SAGASU_TEST_VAULT"
	envName  = "SAGASU_TEST_NAME"
)

// roles are what a writer may be.
var roles = map[string]func(dir string){"crash": crashWriter, "together": togetherWriter}

func TestMain(m *testing.M) {
	if role := roles[os.Getenv(envRole)]; role != nil {
		role(os.Getenv(envVault))
		return
	}
	os.Exit(m.Run())
}

// numberedText returns a file's content that shows whether it is whole.
func numberedText(n int) string {
	body := fmt.Sprintf("# number %d\n%s\n", n, strings.Repeat(strconv.Itoa(n)+" ", 1+n%5000))
	return body + "sum " + sum(body) + "\n"
}

var numberLine = regexp.MustCompile(`# number ([0-9]+)\n`)

// numberOf reads a numbered text, of which there may be front matter before.
func numberOf(text string) (int, error) {
	m := numberLine.FindStringSubmatchIndex(text)
	if m == nil {
		return 0, fmt.Errorf("no number in %.60q", text)
	}
	n, err := strconv.Atoi(text[m[2]:m[3]])
	if err == nil && text[m[0]:] != numberedText(n) {
		err = fmt.Errorf("number %d is torn", n)
	}
	return n, err
}

// crashWriter writes until it is killed and tells on standard output what was
// acknowledged. It goes on from what it finds.
func crashWriter(dir string) {
	v, ctx := vault.New(options(dir)), context.Background()
	next := map[string]int{}
	for _, name := range []string{"artifacts/over.md", "artifacts/copy.md", "artifacts/count.md", crashDay} {
		if text, err := os.ReadFile(filepath.Join(dir, name)); err == nil {
			next[name] = lastNumber(name, string(text))
		}
	}
	first, _ := strconv.Atoi(os.Getenv(envName))
	for kind := first % kinds; ; kind = rand.IntN(kinds) {
		name, err := crashWrite(ctx, v, dir, kind, next)
		if err != nil {
			fmt.Println("failed", name, err)
			os.Exit(1)
		}
		fmt.Println("ack", name, next[name])
	}
}

// kinds is how many kinds of writes there are.
const kinds = 5

const crashDay = "artifacts/daily/2026-01-31.md"

func lastNumber(name, text string) int {
	switch name {
	case crashDay:
		return strings.Count(text, "\n")
	case "artifacts/count.md":
		n, _ := strconv.Atoi(strings.TrimSpace(strings.TrimPrefix(strings.SplitN(text, "\n", 2)[0], "count:")))
		return n
	}
	n, _ := numberOf(text)
	return n
}

func entry(n int) string { return fmt.Sprintf("- entry %d %s\n", n, sum(strconv.Itoa(n))) }

func crashWrite(ctx context.Context, v *vault.Vault, dir string, kind int, next map[string]int) (name string, err error) {
	switch kind {
	case 0:
		name = fmt.Sprintf("drafts/new/%016x.md", rand.Uint64())
		next[name] = rand.IntN(5000)
		_, err = v.Create(ctx, vault.CreateArgs{Path: rootfs.Path(name), Content: numberedText(next[name])})
	case 1:
		name = "artifacts/over.md"
		next[name]++
		if next[name] == 1 {
			_, err = v.Create(ctx, vault.CreateArgs{Path: rootfs.Path(name), Content: numberedText(1)})
			break
		}
		_, err = v.Write(ctx, vault.WriteArgs{Path: rootfs.Path(name), Content: numberedText(next[name]), Mode: "overwrite"})
	case 2:
		name = crashDay
		next[name]++
		if next[name] == 1 {
			_, err = v.Create(ctx, vault.CreateArgs{Path: rootfs.Path(name), Content: entry(1)})
			break
		}
		_, err = v.Write(ctx, vault.WriteArgs{Path: rootfs.Path(name), Content: entry(next[name]), Mode: "append"})
	case 3:
		name = "artifacts/count.md"
		next[name]++
		if next[name] == 1 {
			_, err = v.Create(ctx, vault.CreateArgs{Path: rootfs.Path(name), Content: "count: 1\n" + strings.Repeat("padding\n", 3000)})
			break
		}
		find := fmt.Sprintf("count: %d\n", next[name]-1)
		_, err = v.Replace(ctx, vault.ReplaceArgs{Path: rootfs.Path(name), Find: find, Replace: fmt.Sprintf("count: %d\n", next[name]), MaxReplacements: 1})
	case 4:
		name = "artifacts/copy.md"
		next[name]++
		source := filepath.Join(filepath.Dir(dir), "manuals", "m")
		if err := os.WriteFile(filepath.Join(source, "a.md"), []byte(numberedText(next[name])), 0o644); err != nil {
			return name, err
		}
		b := bridge.New(bridge.Options{Import: v.Import, Manuals: func(context.Context) ([]corpus.Manual, error) {
			return []corpus.Manual{{ID: "m", Dir: source}}, nil
		}})
		_, err = b.CopySection(ctx, bridge.CopySectionArgs{From: bridge.Ref{ManualID: "m", Path: "a.md"}, To: rootfs.Path(name), Mode: "overwrite"})
	}
	return name, err
}

// togetherWriter appends to one file and counts up in another until its standard
// input ends, and tells how often.
func togetherWriter(dir string) {
	name := os.Getenv(envName)
	v, ctx, over := vault.New(options(dir)), context.Background(), make(chan struct{})
	go func() {
		os.Stdin.Read(make([]byte, 1))
		close(over)
	}()
	appended, counted := 0, 0
	for {
		select {
		case <-over:
			fmt.Println(appended, counted)
			return
		default:
		}
		appended++
		line := fmt.Sprintf("- %s %d %s\n", name, appended, strings.Repeat(name, 50))
		if _, err := v.Write(ctx, vault.WriteArgs{Path: day, Content: line, Mode: "append"}); err != nil {
			fmt.Println("failed", err)
			os.Exit(1)
		}
		done, err := countUp(ctx, v)
		if err != nil {
			fmt.Println("failed", err)
			os.Exit(1)
		}
		counted += done
	}
}

// countUp adds one to the count, unless somebody else was quicker.
func countUp(ctx context.Context, v *vault.Vault) (int, error) {
	text, err := os.ReadFile(filepath.Join(v.Dir(), "artifacts", "count.md"))
	if err != nil {
		return 0, err
	}
	n := lastNumber("artifacts/count.md", string(text))
	_, err = v.Replace(ctx, vault.ReplaceArgs{
		Path: "artifacts/count.md", Find: fmt.Sprintf("count: %d\n", n), Replace: fmt.Sprintf("count: %d\n", n+1),
		MaxReplacements: 1, ExpectedSHA256: sum(string(text)),
	})
	if bad, ok := errors.AsType[*toolset.Error](err); ok && bad.Code == toolset.Conflict {
		return 0, nil
	}
	return 1, err
}
