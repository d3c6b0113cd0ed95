package bench

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"
)

// The test binary plays the processes that a run drives.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 {
		switch os.Args[1] {
		case "mcp":
			os.Exit(fakeServer())
		case "find":
			fmt.Println("1. oven/use.md:5")
			os.Exit(0)
		case "peer":
			os.Exit(fakePeer(os.Args[2:]))
		}
	}
	os.Exit(m.Run())
}

func answers(reply func(line []byte) any) int {
	in, out := bufio.NewScanner(os.Stdin), json.NewEncoder(os.Stdout)
	in.Buffer(nil, 64<<20)
	for in.Scan() {
		if r := reply(in.Bytes()); r != nil && out.Encode(r) != nil {
			return 1
		}
	}
	return 0
}

// fakePeer speaks the peers' protocol: it finds the sections that contain the whole query. behaviour makes it fail.
func fakePeer(behaviour []string) int {
	var sections []peerSection
	if len(behaviour) > 0 && behaviour[0] == "dies" {
		fmt.Fprintln(os.Stderr, "out of luck")
		return 3
	}
	return answers(func(line []byte) any {
		var q peerRequest
		if err := json.Unmarshal(line, &q); err != nil {
			return map[string]any{"error": err.Error()}
		}
		switch {
		case len(behaviour) > 0 && behaviour[0] == "babbles":
			return "hello?"
		case len(behaviour) > 0 && behaviour[0] == q.Op:
			return map[string]any{"error": "no " + q.Op + " today"}
		case q.Op == "hello":
			return map[string]any{"engines": []map[string]any{{"name": "bleve", "about": "a fake"}}}
		case q.Op == "load":
			sections = append(sections, q.Sections...)
		case q.Op == "query":
			ids := []int{}
			for _, s := range sections {
				if strings.Contains(s.Text, q.Text) && len(ids) < q.K {
					ids = append(ids, s.ID)
				}
			}
			return map[string]any{"ns": int64(3 * time.Millisecond), "ids": ids}
		case q.Op == "build":
			return map[string]any{"ns": int64(time.Hour), "bytes": 4_500_000}
		}
		return map[string]any{"ns": int64(time.Millisecond)}
	})
}

// fakeServer speaks as much MCP as a run needs. Its first two answers lack files.
func fakeServer() int {
	finds := 0
	return answers(func(line []byte) any {
		var q struct {
			ID     *int
			Method string
			Params struct{ Name string }
		}
		if json.Unmarshal(line, &q) != nil || q.ID == nil {
			return nil
		}
		content := map[string]any{}
		switch q.Params.Name {
		case "manual_find":
			finds++
			content = map[string]any{
				"trace_id": fmt.Sprint("t", finds), "warnings": []string{},
				"summary": map[string]any{"matched": 1, "candidates": 1, "scanned_nodes": 50},
			}
			if finds <= 2 {
				content["warnings"] = []string{"indexing", "files that are not indexed yet: 3"}
			}
		case "manual_hits":
			content = map[string]any{"items": []any{map[string]any{"score": 1}}}
		}
		return map[string]any{"jsonrpc": "2.0", "id": *q.ID, "result": map[string]any{"structuredContent": content}}
	})
}
