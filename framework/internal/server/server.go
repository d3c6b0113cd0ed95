package server

import (
	"context"
	"encoding/json"
	"fmt"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/hashicorp/go-hclog"

	"github.com/sagasu-search/sagasu/framework/internal/manuals"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
)

// Options are what a server is made of.
type Options struct {
	Finder  Finder
	Library Library
	// VaultFinder may be nil: then its tools are left out.
	VaultFinder VaultFinder
	// Lanes may be nil, too.
	Lanes Lanes
	// Logic may be nil, too.
	Logic     Logic
	LogicMode LogicMode

	// Sets are the toolsets that are open.
	Sets []toolset.Toolset

	Toolsets   []string   // nil or empty switches every toolset on
	ReadOnly   bool       // leaves out every tool that writes
	ResultForm ResultForm // "" means both
	Version    string     // of sagasu, as clients see it
	Logger     hclog.Logger
}

// Server answers tool calls. Safe for concurrent use.
type Server struct {
	sets    []toolset.Toolset
	tools   []Tool
	off     map[string]string // why tools are switched off, by their names
	form    ResultForm
	version string
	log     hclog.Logger

	audience audience
}

// New registers the tools that the options switch on.
func New(o Options) *Server {
	s := &Server{sets: o.Sets, form: o.ResultForm, version: o.Version, log: o.Logger, off: map[string]string{}}
	if s.log == nil {
		s.log = hclog.NewNullLogger()
	}
	all := []Tool{
		listTool(o.Library), lsTool(o.Library), tocTool(o.Library), findTool(o.Finder),
		hitsTool(o.Finder), readTool(o.Library), scanTool(o.Library), exceptsTool(o.Library),
	}
	all = append(append(all, vaultFindTools(o.VaultFinder)...), rrfToolsOf(o.Lanes)...)
	all = append(all, logicToolsOf(o.Logic, o.LogicMode)...)
	for _, set := range o.Sets {
		for _, t := range set.Tools {
			all = append(all, typedTool(t))
		}
	}
	for _, t := range all {
		if o.ReadOnly && !t.Hints.ReadOnly {
			s.off[t.Name] = "it writes, and READ_ONLY is set"
		} else {
			s.tools = append(s.tools, t)
		}
	}
	s.Limit(o.Toolsets)
	return s
}

// Limit leaves out the tools of other toolsets; none of them leaves all.
func (s *Server) Limit(toolsets []string) {
	s.tools = slices.DeleteFunc(s.tools, func(t Tool) bool {
		other := len(toolsets) > 0 && !slices.Contains(toolsets, t.Toolset)
		if other {
			s.off[t.Name] = fmt.Sprintf("it belongs to the toolset %s; switched on, by TOOLSETS or by what the workspace holds, are: %s", t.Toolset, strings.Join(toolsets, ", "))
		}
		return other
	})
}

// Tools lists the tools that are switched on.
func (s *Server) Tools() []Tool { return slices.Clone(s.tools) }

// Session is what one client's calls remember of each other.
type Session struct {
	read   *manuals.Memory
	shared toolset.Session
}

// NewSession is the memory of a new client.
func NewSession() *Session { return &Session{read: manuals.NewMemory()} }

func (s *Session) memory() *manuals.Memory {
	if s == nil {
		return nil
	}
	return s.read
}

// Call answers one call and logs it. The result can be encoded as a JSON
// object; a failure is never anything but a fault, also when the handler
// panics. raw may be empty; session is nil for a call without memory.
func (s *Server) Call(ctx context.Context, name string, raw json.RawMessage, session *Session) (any, *toolset.Error) {
	started := time.Now()
	places, result, err := s.dispatch(ctx, name, raw, session)
	s.logCall(name, time.Since(started), places, result, err)
	if err != nil {
		return nil, err
	}
	return result, nil
}

func (s *Server) dispatch(ctx context.Context, name string, raw json.RawMessage, session *Session) (places []any, result any, failed *toolset.Error) {
	tool, ok := s.tool(name)
	if !ok {
		return nil, nil, s.unknownTool(name)
	}
	if tool.typed != nil {
		if session != nil {
			ctx = toolset.WithSession(ctx, &session.shared)
		}
		result, places, failed = tool.typed.Call(ctx, raw)
		return places, result, failed
	}
	args, bad := ParseArguments(raw)
	if bad != nil {
		return nil, nil, withExample(tool.inCodes(bad), tool, nil)
	}
	result, err := guard(ctx, tool, args, session)
	if err != nil {
		return args.places(), nil, withExample(tool.inCodes(toolset.Explain(err)), tool, args)
	}
	return args.places(), result, nil
}

// guard calls the handler; a panic becomes an error that holds the stack.
func guard(ctx context.Context, tool Tool, args *Arguments, session *Session) (result any, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic in %s: %v\n%s", tool.Name, p, debug.Stack())
		}
	}()
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return tool.Handle(ctx, args, session)
}

func (s *Server) tool(name string) (Tool, bool) {
	i := slices.IndexFunc(s.tools, func(t Tool) bool { return t.Name == name })
	if i < 0 {
		return Tool{}, false
	}
	return s.tools[i], true
}

func (s *Server) unknownTool(name string) *toolset.Error {
	names := []string{}
	for _, t := range s.tools {
		names = append(names, t.Name)
	}
	if why := s.off[name]; why != "" {
		return toolset.Errorf(toolset.NotAvailable, "%s is switched off: %s", name, why).With("parameter", "name").With("got", name).With("expected", names)
	}
	name = short(name)
	err := toolset.Errorf(toolset.NotFound, "there is no tool %q; call one of those listed", name)
	if close := toolset.DidYouMean(name, names, 3); len(close) > 0 {
		err = toolset.Errorf(toolset.NotFound, "there is no tool %q; did you mean %s?", name, close[0]).With("did_you_mean", close)
	}
	return err.With("parameter", "name").With("got", name).With("expected", names)
}
