package corpus

import (
	"bytes"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"
)

// bom is the UTF-8 byte order mark that some editors write first.
const bom = "\ufeff"

// frontMatter finds the YAML (---) or TOML (+++) block at the start of a text. It returns the block's length in bytes,
// or 0 if there is none, and its title. A "---" that is followed neither by a key nor by comments is a thematic break.
func frontMatter(src []byte) (length int, title string) {
	text := bytes.TrimPrefix(src, []byte(bom))
	length = len(src) - len(text)
	var fence string
	var body []string
	sure := false
	for raw := range eachLine(text) {
		length += len(raw)
		line := trimEnd(string(raw))
		switch {
		case fence == "" && (line == "---" || line == "+++"):
			fence, sure = line, line == "+++"
			continue
		case fence == "":
			return 0, ""
		case line == fence || fence == "---" && line == "...":
			return closed(fence, body, sure, length)
		case isKey(line):
			sure = true
		case !sure && line != "" && line[0] != '#':
			return 0, ""
		}
		body = append(body, line)
	}
	return 0, ""
}

// closed decides on a block whose end was found. Without a key, it is front matter only if it contains nothing but
// comments; a blank line means that it is a slide.
func closed(fence string, body []string, sure bool, length int) (int, string) {
	switch {
	case !sure && slices.Contains(body, ""):
		return 0, ""
	case fence == "+++":
		return length, tomlTitle(strings.Join(body, "\n"))
	default:
		return length, yamlTitle(body)
	}
}

// FrontMatter returns the length in bytes of the front matter at the start of a text, including fences and byte order
// mark, or 0 if there is none.
func FrontMatter(src []byte) int {
	length, _ := frontMatter(src)
	return length
}

// Title returns the title in the front matter of a Markdown file, or "".
func Title(name string, src []byte) string {
	if !IsMarkdown(name) {
		return ""
	}
	_, title := frontMatter(src)
	return title
}

func trimEnd(line string) string { return strings.TrimRight(line, " \t\r\n") }

func isKey(line string) bool {
	key, rest, ok := strings.Cut(line, ":")
	return ok && key != "" && !strings.ContainsAny(key, " \t#") && (rest == "" || rest[0] == ' ' || rest[0] == '\t')
}

func tomlTitle(body string) string {
	var meta struct{ Title string }
	if len(body) > maxTOML {
		return ""
	}
	if err := toml.Unmarshal([]byte(body), &meta); err != nil {
		return ""
	}
	return oneLine(meta.Title)
}

// yamlTitle reads the scalar of a top-level "title" key, in capitals or not: plain, quoted, or continued on indented
// lines.
func yamlTitle(lines []string) string {
	for i, line := range lines {
		key, value, _ := strings.Cut(line, ":")
		if !strings.EqualFold(key, "title") {
			continue
		}
		value = strings.TrimSpace(value)
		if strings.HasPrefix(value, "|") || strings.HasPrefix(value, ">") {
			value = ""
		}
		parts := []string{value}
		for _, more := range lines[i+1:] {
			if more == "" || !strings.ContainsAny(more[:1], " \t") {
				break
			}
			parts = append(parts, strings.TrimSpace(more))
		}
		return oneLine(yamlScalar(strings.TrimSpace(strings.Join(parts, " "))))
	}
	return ""
}

func yamlScalar(value string) string {
	if inner, ok := quoted(value, `'`); ok {
		return strings.ReplaceAll(inner, "''", "'")
	}
	if inner, ok := quoted(value, `"`); ok {
		return yamlEscapes.Replace(inner)
	}
	value, _, _ = strings.Cut(value, " #")
	return value
}

// yamlEscapes are the escapes of double-quoted scalars that occur in titles.
var yamlEscapes = strings.NewReplacer(`\"`, `"`, `\\`, `\`, `\/`, `/`, `\n`, " ", `\t`, " ")

// quoted returns the text between an opening quote and its closing one.
func quoted(value, quote string) (string, bool) {
	if !strings.HasPrefix(value, quote) {
		return "", false
	}
	for at := 1; at < len(value); at++ {
		switch {
		case quote == `"` && value[at] == '\\':
			at++
		case value[at] != quote[0]:
		case quote == `'` && strings.HasPrefix(value[at+1:], quote):
			at++
		default:
			return value[1:at], true
		}
	}
	return "", false
}

// oneLine folds white space of any kind into single spaces.
func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }
