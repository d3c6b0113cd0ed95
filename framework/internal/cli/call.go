package cli

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/spf13/cobra"

	"github.com/sagasu-search/sagasu/framework/internal/app"
	"github.com/sagasu-search/sagasu/framework/internal/server"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
	"github.com/sagasu-search/sagasu/framework/internal/workspace"
	"github.com/sagasu-search/sagasu/sdk/x/guard"
)

func callCommand(prog *program) *cobra.Command {
	var fromStdin bool
	c := &cobra.Command{
		Use:   "call TOOL [JSON]",
		Short: "Call an MCP tool without a client",
		Long: `call runs one MCP tool and prints its structured result. A tool error is
printed the same way and ends with exit code 1.

With --stdin, each line of standard input is one call,
{"tool": "manual_find", "arguments": {…}}, and each result is one line. The
calls share a session, as those of one client do.`,
		Example: `  sagasu call manual_find '{"query": "保証"}' --workspace testdata/workspace
  sagasu call manual_ls
  sagasu call --stdin < calls.jsonl`,
		Args: func(c *cobra.Command, args []string) error {
			switch {
			case fromStdin && len(args) == 0, !fromStdin && (len(args) == 1 || len(args) == 2):
				return nil
			}
			return usageError{errors.New("give a TOOL and its arguments as JSON, or --stdin alone")}
		},
		RunE: func(c *cobra.Command, args []string) error {
			a, err := open(c.Context(), prog, c.ErrOrStderr())
			if err != nil {
				return err
			}
			defer a.Close()
			a.Tools.Limit(a.Groups()) // as for an MCP client
			if fromStdin {
				return callMany(c.Context(), a, c.InOrStdin(), c.OutOrStdout())
			}
			raw := json.RawMessage("{}")
			if len(args) == 2 {
				raw = json.RawMessage(args[1])
			}
			return callOne(c.Context(), a, c.OutOrStdout(), args[0], raw)
		},
	}
	c.ValidArgsFunction = offer(prog, 1,
		func(ctx context.Context, _ *workspace.Workspace, _ []string, _ string) (names []string, err error) {
			a, err := open(ctx, prog, io.Discard)
			if err != nil {
				return nil, err
			}
			defer a.Close()
			for _, tool := range a.Tools.Tools() {
				if slices.Contains(a.Groups(), tool.Group) {
					names = append(names, tool.Name)
				}
			}
			return names, nil
		})
	c.Flags().BoolVar(&fromStdin, "stdin", false, "read calls from standard input, one JSON object a line")
	return c
}

// callOne prints the structured result of one call, indented.
func callOne(ctx context.Context, a *app.App, w io.Writer, tool string, raw json.RawMessage) error {
	result, failed := a.Tools.Call(ctx, tool, raw, nil)
	if failed != nil {
		result = server.ErrorResult(failed)
	}
	return cmp.Or(printJSON(w, result), reportedIf(failed != nil))
}

// maxCall is the maximum size of one line of calls.
const maxCall = 4 << 20

// callMany runs a call per line. A failed call does not end the others.
func callMany(ctx context.Context, a *app.App, in io.Reader, out io.Writer) error {
	session, anyFailed := &toolset.Session{}, false
	enc := json.NewEncoder(out)
	enc.SetEscapeHTML(false)
	lines := bufio.NewScanner(untilDone(ctx, in))
	lines.Buffer(nil, maxCall)
	n := 1
	for ; lines.Scan(); n++ {
		if len(lines.Bytes()) == 0 {
			continue
		}
		result, failed := callLine(ctx, a, n, lines.Bytes(), session)
		if failed != nil {
			result, anyFailed = server.ErrorResult(failed), true
		}
		if err := enc.Encode(result); err != nil {
			return err
		}
	}
	if err := lines.Err(); err != nil {
		return fmt.Errorf("line %d of standard input: %w", n, err)
	}
	return reportedIf(anyFailed)
}

func callLine(ctx context.Context, a *app.App, n int, line []byte, session *toolset.Session) (any, *toolset.Error) {
	var call struct {
		Tool      string          `json:"tool"`
		Arguments json.RawMessage `json:"arguments"`
	}
	dec := json.NewDecoder(bytes.NewReader(line))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&call); err != nil || dec.Decode(new(any)) != io.EOF {
		return nil, toolset.Errorf(toolset.InvalidParameter,
			"line %d is not a call: one JSON object with tool and arguments and nothing else", n).
			Argument("line", n, "a JSON object with tool and arguments").
			With("example", map[string]any{"tool": "manual_ls", "arguments": map[string]any{}})
	}
	return a.Tools.Call(ctx, call.Tool, call.Arguments, session)
}

// untilDone reads in until ctx is done. A read that waits for input cannot be interrupted; its goroutine ends with the
// process.
func untilDone(ctx context.Context, in io.Reader) io.Reader {
	r, w := io.Pipe()
	var copying guard.Group
	copying.Go(func() error {
		w.CloseWithError(guard.Call(func() error { _, err := io.Copy(w, in); return err }))
		return nil
	})
	context.AfterFunc(ctx, func() { r.CloseWithError(ctx.Err()) })
	return r
}
