package corpus

import "strings"

// Limits in bytes on what names one object, and on what names all objects around a place.
const (
	longestLabel  = 200
	longestLabels = 2 << 10
)

// JSONAbove returns, for each offset, what applies to the text there as headings apply to a section: the names of the
// objects and lists around it, and the short texts in these objects before it. offsets ascend. From a place on that
// cannot be read as JSON, nothing is above.
func JSONAbove(src string, offsets []int) []string {
	above := make([]string, len(offsets))
	tokens, skipped := decoder([]byte(src))
	var around []string // what names each level
	name := ""
	for i := 0; i < len(offsets); {
		token, err := tokens.ReadToken()
		if err != nil {
			break
		}
		for end := skipped + int(tokens.InputOffset()); i < len(offsets) && offsets[i] < end; i++ {
			above[i] = joined(around)
		}
		in, members := tokens.StackIndex(tokens.StackDepth())
		text := ""
		switch kind := token.Kind(); {
		case kind == '{' || kind == '[':
			around, text = append(around, ""), name
		case kind == '}' || kind == ']':
			around = around[:len(around)-1]
		case in == '{' && members%2 == 1:
			name = token.String()
			continue
		case kind == '"' && in == '{':
			text = token.String()
		}
		if last := len(around) - 1; text != "" && len(around[last])+len(text) <= longestLabel {
			around[last] += text + "\n"
		}
		name = ""
	}
	return above
}

// joined joins the labels of levels, from the outermost on.
func joined(levels []string) string {
	var all strings.Builder
	for _, l := range levels {
		if all.Len()+len(l) > longestLabels {
			break
		}
		all.WriteString(l)
	}
	return all.String()
}
