package workspace

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"

	"github.com/sagasu-search/sagasu/framework/internal/corpus"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
	"github.com/sagasu-search/sagasu/sdk/x/lazyregexp"
)

// maxFileBytes is the maximum size of a configuration file. The time to parse one is quadratic in the number of keys.
const maxFileBytes = 128 << 10

// file is a configuration file, checked key by key.
type file struct {
	document
	schema []setting
	dir    string // base of its relative paths
	user   string // the user's home folder, for ~/ in the user's own file
	guest  bool   // the workspace's own file, which may come from a stranger

	settings   layer
	strategies map[string]Strategy
	plugins    map[string]Plugin
	manuals    map[string]given // id to folder
}

func readUserFile(schema Schema, h homes) (*file, error) {
	f := newFile(schema, filepath.Join(h.config, "config.toml"))
	f.user = h.user
	return f, f.read(os.DirFS(f.dir))
}

func readGuestFile(schema Schema, root string) (*file, error) {
	dir, err := os.OpenRoot(root)
	if err != nil {
		return nil, fmt.Errorf("open the workspace: %w", err)
	}
	defer dir.Close()
	f := newFile(schema, filepath.Join(root, FileName))
	f.guest = true
	return f, f.read(dir.FS())
}

func newFile(schema Schema, path string) *file {
	return &file{
		document: document{path: path}, schema: schema.settings(), dir: filepath.Dir(path),
		settings: layer{}, strategies: map[string]Strategy{}, plugins: map[string]Plugin{}, manuals: map[string]given{},
	}
}

// read reads and checks the file. A missing file is empty.
func (f *file) read(dir fs.FS) error {
	src, err := readBounded(dir, filepath.Base(f.path))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("%s cannot be read: %w", f.path, err)
	}
	if f.document, err = parse(f.path, src); err != nil {
		return err
	}
	for _, key := range f.keys() {
		if err := f.take(key, f.values[key]); err != nil {
			return err
		}
	}
	return nil
}

func readBounded(dir fs.FS, name string) ([]byte, error) {
	// Check before opening: opening a FIFO waits for a writer.
	if info, err := fs.Stat(dir, name); err == nil && !info.Mode().IsRegular() {
		return nil, errors.New("it is not a regular file")
	}
	in, err := dir.Open(name)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	src, err := io.ReadAll(io.LimitReader(in, maxFileBytes+1))
	if len(src) > maxFileBytes {
		return nil, fmt.Errorf("it is larger than %d bytes", maxFileBytes)
	}
	return src, err
}

func (f *file) take(key string, v any) error {
	switch key {
	case "strategies":
		return f.takeTables(key, v, f.takeStrategy)
	case "plugins":
		return f.takeTables(key, v, f.takePlugin)
	}
	i := slices.IndexFunc(f.schema, func(s setting) bool { return s.key() == key })
	switch {
	case f.guest && (key == "manuals" || i >= 0 && !f.schema[i].forGuests()):
		return f.fail([]string{key}, "%s may not be set by a workspace's own file; set it by flag, environment or in "+
			"the user's configuration file", key)
	case key == "manuals":
		return f.takeManuals(v)
	case i < 0:
		return f.unknown(f.known(), key)
	}
	s := f.schema[i]
	if !s.takes(v) {
		if s.private() {
			v = "not shown"
		}
		return f.fail([]string{key}, "%s is %v: it must be %s", key, v, s.want())
	}
	f.settings[s.name] = given{raw: f.raw(s, v), origin: f.at(key), base: f.dir, guest: f.guest}
	return nil
}

// raw returns a TOML value as a flag would have it.
func (f *file) raw(s setting, v any) string {
	items, ok := v.([]any)
	if !ok {
		items = []any{v}
	}
	texts := make([]string, len(items))
	for i, item := range items {
		texts[i] = fmt.Sprint(item)
		if s.isPath() {
			texts[i] = f.home(texts[i])
		}
	}
	return strings.Join(texts, s.separator())
}

// home expands ~/ in the user's own file, where no shell does.
func (f *file) home(raw string) string {
	if rest, ok := strings.CutPrefix(raw, "~/"); ok && f.user != "" {
		return filepath.Join(f.user, rest)
	}
	return raw
}

// takeManuals reads [manuals] id = "folder".
func (f *file) takeManuals(v any) error {
	table, ok := v.(map[string]any)
	if !ok {
		return f.fail([]string{"manuals"}, "manuals must be a table of id = \"folder\"")
	}
	for _, id := range sortedKeys(table) {
		dir, ok := table[id].(string)
		if !ok || dir == "" || !plainName(id) {
			return f.fail([]string{"manuals", id}, "manuals.%s must be a plain id with a folder as its text", id)
		}
		f.manuals[id] = given{raw: f.home(dir), origin: f.at("manuals", id), base: f.dir}
	}
	return nil
}

// plainName reports whether an id is a single path component.
func plainName(id string) bool {
	return filepath.IsLocal(id) && id != "." && !strings.ContainsAny(id, "/\\\x00")
}

// known lists the keys that this file may have.
func (f *file) known() []string {
	keys := []string{"plugins", "strategies"}
	if !f.guest {
		keys = append(keys, "manuals")
	}
	for _, s := range f.schema {
		if s.forGuests() || !f.guest {
			keys = append(keys, s.key())
		}
	}
	slices.Sort(keys)
	return keys
}

func (f *file) unknown(among []string, key ...string) error {
	name := strings.Join(key, ".")
	if close := toolset.DidYouMean(key[len(key)-1], among, 1); len(close) > 0 {
		return f.fail(key, "unknown key %s; did you mean %s?", name, close[0])
	}
	return f.fail(key, "unknown key %s; the keys are %s", name, strings.Join(among, ", "))
}

// document is a TOML file with the line of every key.
type document struct {
	path   string
	values map[string]any
	lines  map[string]int // by the key's parts, joined by a NUL
}

// parse parses a whole document. Its error names file and line.
func parse(path string, src []byte) (document, error) {
	d := document{path: path, values: map[string]any{}, lines: map[string]int{}}
	src = bytes.TrimPrefix(src, []byte("\ufeff")) // editors on Windows write it before the text
	if err := toml.Unmarshal(src, &d.values); err != nil {
		if de, ok := errors.AsType[*toml.DecodeError](err); ok {
			row, _ := de.Position()
			return d, fmt.Errorf("%s:%d: not valid TOML: %s", path, row, strings.TrimPrefix(de.Error(), "toml: "))
		}
		return d, fmt.Errorf("%s: not valid TOML: %w", path, err)
	}
	p, lines := unstable.Parser{}, corpus.NewLines(src)
	p.Reset(src)
	table := []string{}
	for p.NextExpression() {
		node := p.Expression()
		switch node.Kind {
		case unstable.Table, unstable.ArrayTable:
			table = d.note(lines, nil, node)
		case unstable.KeyValue:
			d.noteValue(lines, table, node)
		}
	}
	return d, p.Error()
}

// mostParts is the number of parts of the longest key that is read: strategies.NAME.config.KEY.
const mostParts = 4

// note records the line of each part of a key and returns the key, both without what is longer than any that is read.
func (d document) note(lines corpus.Lines, above []string, node *unstable.Node) []string {
	key := slices.Clone(above)
	for parts := node.Key(); len(key) < mostParts && parts.Next(); {
		part := parts.Node()
		key = append(key, string(part.Data))
		if id := strings.Join(key, "\x00"); d.lines[id] == 0 {
			d.lines[id] = lines.At(int(part.Raw.Offset))
		}
	}
	return key
}

func (d document) noteValue(lines corpus.Lines, table []string, node *unstable.Node) {
	key := d.note(lines, table, node)
	if node.Value().Kind != unstable.InlineTable {
		return
	}
	for members := node.Value().Children(); members.Next(); {
		d.noteValue(lines, key, members.Node())
	}
}

// keys lists the top-level keys in the order of the file, so that the first mistake is reported.
func (d document) keys() []string {
	return slices.SortedStableFunc(maps.Keys(d.values), func(a, b string) int {
		if d.lines[a] != d.lines[b] {
			return d.lines[a] - d.lines[b]
		}
		return strings.Compare(a, b)
	})
}

// at returns the file:line of a key.
func (d document) at(key ...string) string {
	return fmt.Sprintf("%s:%d", d.path, d.lines[strings.Join(key, "\x00")])
}

// fail returns an error at the place of a key, on one line even for a stranger's file.
func (d document) fail(key []string, format string, args ...any) error {
	return fmt.Errorf("%s: %s", d.at(key...), toolset.Harmless(fmt.Sprintf(format, args...), ""))
}

var strategyName = lazyregexp.New(`^[a-z0-9-]{1,40}$`)

// takeTables reads the tables [kind.NAME], each with take.
func (f *file) takeTables(kind string, v any, take func(name string, members map[string]any) error) error {
	table, ok := v.(map[string]any)
	if !ok {
		return f.fail([]string{kind}, "%s must be tables [%[1]s.NAME]", kind)
	}
	for _, name := range sortedKeys(table) {
		members, ok := table[name].(map[string]any)
		if !ok || !strategyName().MatchString(name) {
			return f.fail([]string{kind, name}, "%s.%s must be a table named in lower-case letters, digits and '-'",
				kind, name)
		}
		if err := take(name, members); err != nil {
			return err
		}
	}
	return nil
}

func sortedKeys(table map[string]any) []string { return slices.Sorted(maps.Keys(table)) }
