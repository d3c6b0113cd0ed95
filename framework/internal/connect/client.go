package connect

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// entryName is the name of sagasu's entry.
const entryName = "sagasu"

// Client is a program that starts MCP servers, and where it is configured.
type Client struct {
	Name  string // for --client
	Title string

	user    []string // the user's file: the first whose variables are all set
	marks   []string // folders that show that the client is installed; by default that of the file
	project string   // the file below a workspace, or ""
	servers string   // name of the table of servers in the file
	typed   bool     // entries name their transport
	format  format
}

// Clients returns the known clients.
func Clients() []Client {
	strict, commented := jsonFormat{}, jsonFormat{comments: true}
	return []Client{
		{Name: "claude-code", Title: "Claude Code", servers: "mcpServers", format: strict, typed: true,
			user:    []string{"$CLAUDE_CONFIG_DIR/.claude.json", "$HOME/.claude.json"},
			marks:   []string{"$CLAUDE_CONFIG_DIR", "$HOME/.claude"},
			project: ".mcp.json"},
		{Name: "claude-desktop", Title: "Claude Desktop", servers: "mcpServers", format: strict,
			user: []string{"$CONFIG/Claude/claude_desktop_config.json"}},
		{Name: "codex", Title: "Codex", servers: "mcp_servers", format: tomlFormat{},
			user:    []string{"$CODEX_HOME/config.toml", "$HOME/.codex/config.toml"},
			project: ".codex/config.toml"},
		{Name: "cursor", Title: "Cursor", servers: "mcpServers", format: commented,
			user:    []string{"$HOME/.cursor/mcp.json"},
			project: ".cursor/mcp.json"},
		{Name: "vscode", Title: "VS Code", servers: "servers", format: commented, typed: true,
			user:    []string{"$CONFIG/Code/User/mcp.json"},
			project: ".vscode/mcp.json"},
		{Name: "windsurf", Title: "Windsurf", servers: "mcpServers", format: commented,
			user: []string{"$HOME/.codeium/windsurf/mcp_config.json"}},
		{Name: "gemini", Title: "Gemini CLI", servers: "mcpServers", format: commented,
			user:    []string{"$HOME/.gemini/settings.json"},
			project: ".gemini/settings.json"},
		{Name: "zed", Title: "Zed", servers: "context_servers", format: commented,
			user:    []string{"$DOTCONFIG/zed/settings.json", "$CONFIG/Zed/settings.json"},
			project: ".zed/settings.json"},
	}
}

// Machine is where clients are looked for.
type Machine struct {
	OS     string // a GOOS value
	Getenv func(string) string
}

// folder returns the folder for a variable in a client's path, or "" if it is unknown.
func (m Machine) folder(variable string) string {
	home, config, dotConfig := m.Getenv("HOME"), "", ""
	switch m.OS {
	case "windows":
		home, config = m.Getenv("USERPROFILE"), m.Getenv("APPDATA")
	case "darwin":
		config, dotConfig = filepath.Join(home, "Library", "Application Support"), filepath.Join(home, ".config")
	default:
		config = filepath.Join(home, ".config")
		if xdg := m.Getenv("XDG_CONFIG_HOME"); filepath.IsAbs(xdg) {
			config = xdg
		}
		dotConfig = config
	}
	switch variable {
	case "HOME":
		return home
	case "CONFIG":
		return config
	case "DOTCONFIG":
		return dotConfig
	}
	return m.Getenv(variable)
}

// expand returns the first path whose variable names a folder, or "" if none does.
func (m Machine) expand(paths []string) string {
	for _, path := range paths {
		variable, rest, _ := strings.Cut(strings.TrimPrefix(path, "$"), "/")
		if dir := m.folder(variable); filepath.IsAbs(dir) {
			return filepath.Join(dir, filepath.FromSlash(rest))
		}
	}
	return ""
}

// userFile returns the path of the user's configuration of a client, or "" if it is unknown on the machine.
func (m Machine) userFile(c Client) string { return m.expand(c.user) }

// Has reports whether a client is on the machine: its configuration or a folder that shows it exists.
func (m Machine) Has(c Client) bool {
	file := m.userFile(c)
	if file == "" {
		return false
	}
	mark := filepath.Dir(file)
	if c.marks != nil {
		mark = m.expand(c.marks)
	}
	return slices.ContainsFunc([]string{file, mark}, func(path string) bool {
		_, err := os.Lstat(path)
		return err == nil
	})
}
