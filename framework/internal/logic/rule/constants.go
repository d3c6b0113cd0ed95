package rule

import (
	"cmp"
	"path"
	"strings"

	"github.com/sagasu-search/sagasu/framework/internal/logic/code"
	"github.com/sagasu-search/sagasu/sdk/x/lazyregexp"
)

// Constants are the values that the files of a program name, for reading a file that
// compares with a constant of another. The zero value holds none.
type Constants struct {
	values map[constant]string // expressions; "" where files give one name several
}

// constant is a name as other files see it: those of its language anywhere, or those
// in its folder, which is a package of Go.
type constant struct{ language, folder, name string }

// Add takes the constants of a cut file.
func (c *Constants) Add(file string, src []byte, f code.File) {
	if c.values == nil {
		c.values = map[constant]string{}
	}
	for name, value := range openFile(file, src, f).consts {
		for _, seen := range []constant{{f.Language, "", name}, {f.Language, path.Dir(file), name}} {
			if before, ok := c.values[seen]; !ok {
				c.values[seen] = value
			} else if before != value {
				c.values[seen] = ""
			}
		}
	}
}

// constant is the expression of the constant that an operand names, "" where it names
// none: one of the file, of its package, or one of another file that is imported by name
// or has a name that no variable has.
func (f *codeFile) constant(operand string) string {
	at := strings.LastIndexAny(operand, ".:") + 1
	owner, name := strings.TrimRight(operand[:at], ".:"), operand[at:]
	if value, ok := f.consts[name]; ok {
		return value
	}
	inFolder := f.shared.values[constant{f.Language, path.Dir(f.path), name}]
	if f.Language == "go" && owner == "" {
		return inFolder
	}
	if strings.ToUpper(name) == name || f.imports()[name] || f.imports()[owner] {
		return cmp.Or(inFolder, f.shared.values[constant{f.Language, "", name}])
	}
	return ""
}

var (
	imported = lazyregexp.New(`(?m)^\s*(?:import|from|use|using)\b[^(){}\n]*(?:\{[^{}]*\}|\([^()]*\))?.*$|^\s*(?:const|let|var)\s+(?:\w+|\{[^{}]*\})\s*=\s*require\(`)
	names    = lazyregexp.New(`\w+`)
)

// imports are the words of a file's imports.
func (f *codeFile) imports() map[string]bool {
	if f.imported == nil {
		f.imported = map[string]bool{}
		for _, statement := range imported().FindAllString(strings.Join(f.lines, "\n"), -1) {
			for _, name := range names().FindAllString(statement, -1) {
				f.imported[name] = true
			}
		}
	}
	return f.imported
}
