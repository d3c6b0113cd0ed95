package cli

import (
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"text/template"

	"golang.org/x/text/width"
)

// recorded are the lines that the recording of the README types, one after the other, in the sample workspace.
var recorded = []string{
	`sagasu find "停電のとき" -n 1`,
	`sagasu find "warranty period" -n 1`,
	`sagasu find "warranty period" -n 1 --why-not "What is not covered" | head -4`,
}

// The recording shows what the binary prints: run with -update and look at it.
func TestRecordingShowsWhatIsPrinted(t *testing.T) {
	env := environment(t)
	var r recording
	for _, line := range recorded {
		command, head, _ := strings.Cut(line, " | head -")
		cmd := exec.Command(binary, split(command)[1:]...)
		cmd.Dir, cmd.Env = sample(t), env
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		printed := linesOf(string(out))
		if n, err := strconv.Atoi(head); err == nil {
			printed = printed[:min(n, len(printed))]
		}
		r.record(line, printed)
	}
	var b strings.Builder
	if err := recordingSVG.Execute(&b, r); err != nil {
		t.Fatal(err)
	}
	golden(t, filepath.Join(repository(t), "docs", "images", "terminal.svg"), b.String())
}

// A trace has another id in each run.
var traceLine = regexp.MustCompile(`(?m)^trace .*\n?`)

func linesOf(out string) []string {
	return strings.Split(strings.TrimSuffix(traceLine.ReplaceAllString(out, ""), "\n"), "\n")
}

// Sizes of the picture, in pixels, and how long things take, in seconds.
const (
	columns   = 99
	cell      = 8.4
	rowHeight = 21
	margin    = 16
	perColumn = .03
	pause     = .4
	reading   = 2.5
)

// recording is a terminal as a picture: commands with what they print, each with when it shows.
type recording struct {
	Steps []step
	rows  int
	end   float64
}

type step struct {
	Typed   []span
	Printed []span
	Cover   cover
	Start   float64
	Done    float64
}

// span is text of one colour and of one width of characters. It has its length said, so that characters stand in
// their columns in any font.
type span struct {
	Class, Text      string
	Wide             bool
	X, Y, TextLength float64
}

// cover hides a command and shrinks as it is typed.
type cover struct {
	X, Y, Width, Seconds float64
	Steps                int
}

func (r recording) Width() float64  { return columns*cell + 2*margin }
func (r recording) Height() float64 { return float64(r.rows*rowHeight) + 2*margin - 6 }

func (r *recording) record(line string, printed []string) {
	if r.rows > 0 {
		r.rows++ // an empty row between two commands
	}
	s := step{Start: r.end}
	typed := 0
	for _, c := range line {
		typed += cells(c)
	}
	s.Cover = cover{margin + 2*cell, float64(r.rows*rowHeight) + margin - 2, float64(typed) * cell, float64(typed) * perColumn, typed}
	s.Typed = r.lay("$ "+line, ofCommands)
	s.Done = s.Start + s.Cover.Seconds + pause
	for _, p := range printed {
		s.Printed = append(s.Printed, r.lay(p, ofOutput)...)
	}
	r.end = s.Done + reading
	r.Steps = append(r.Steps, s)
}

// paint is a colour and what has it.
type paint struct {
	class string
	of    *regexp.Regexp
}

var (
	ofCommands = []paint{{"prompt", regexp.MustCompile(`^\$`)}}
	ofOutput   = []paint{
		{"path", regexp.MustCompile(`[\w-]+(/[\w-]+)+\.md:\d+`)},
		{"mark", regexp.MustCompile(`\[[^\[\]]+\]`)},
		{"prompt", regexp.MustCompile(`ready$|^ranked below`)},
	}
)

// lay puts a line into as many rows as it needs.
func (r *recording) lay(line string, paints []paint) []span {
	classes := make([]string, len(line))
	for _, p := range paints {
		for _, m := range p.of.FindAllStringIndex(line, -1) {
			for i := m[0]; i < m[1]; i++ {
				classes[i] = p.class
			}
		}
	}
	var spans []span
	column, last := 0, 0
	for i, c := range line {
		n := cells(c)
		if column+n > columns {
			column, last, r.rows = 0, 0, r.rows+1
		}
		if n != last || spans[len(spans)-1].Class != classes[i] {
			x, y := margin+float64(column)*cell, float64(r.rows*rowHeight)+margin+14
			spans = append(spans, span{Class: classes[i], Wide: n == 2, X: x, Y: y})
		}
		at := &spans[len(spans)-1]
		at.Text += string(c)
		at.TextLength += float64(n) * cell
		column, last = column+n, n
	}
	r.rows++
	return spans
}

// cells returns how many columns a terminal gives a character.
func cells(c rune) int {
	switch width.LookupRune(c).Kind() {
	case width.EastAsianWide, width.EastAsianFullwidth:
		return 2
	}
	return 1
}

var recordingSVG = template.Must(template.New("").Parse(`
{{- define "span"}}<text class="{{.Class}}{{if .Wide}} wide{{end}}" x="{{printf "%.1f" .X}}" y="{{.Y}}"` +
	` textLength="{{printf "%.1f" .TextLength}}">{{html .Text}}</text>
{{end -}}
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {{.Width}} {{.Height}}" width="{{.Width}}" height="{{.Height}}"` +
	` role="img" aria-labelledby="title" xml:space="preserve">
<title id="title">sagasu find on the sample manuals, in a terminal</title>
<style>
svg { --back: #f6f8fa; --edge: #d1d9e0; --text: #1f2328; --path: #0b6b7a; --mark: #8a4b00; --prompt: #1a7f37 }
@media (prefers-color-scheme: dark) {
  svg { --back: #0d1117; --edge: #3d444d; --text: #e6edf3; --path: #56d4dd; --mark: #f0b64a; --prompt: #56d364 }
}
rect { fill: var(--back) }
.edge { stroke: var(--edge) }
text { font: 14px ui-monospace, monospace; fill: var(--text); white-space: pre }
.wide { font-size: 16px }
.path { fill: var(--path) }
.mark { fill: var(--mark); font-weight: bold }
.prompt { fill: var(--prompt); font-weight: bold }
.cover { visibility: hidden }
@media (prefers-reduced-motion: no-preference) {
  .show { animation: show 1ms both }
  .cover { visibility: visible; transform-box: fill-box; transform-origin: right; animation: type both }
}
@keyframes show { from { opacity: 0 } }
@keyframes type { to { transform: scaleX(0) } }
</style>
<rect class="edge" x=".5" y=".5" width="{{.Width}}" height="{{.Height}}" rx="8" transform="scale(.998)"/>
{{range .Steps}}<g class="show" style="animation-delay:{{printf "%.2f" .Start}}s">
{{range .Typed}}{{template "span" .}}{{end -}}
{{with .Cover}}<rect class="cover" x="{{printf "%.1f" .X}}" y="{{.Y}}" width="{{printf "%.1f" .Width}}" height="21"
{{- end}} style="animation-delay:{{printf "%.2f" .Start}}s;animation-duration:{{printf "%.2f" .Cover.Seconds}}s;` +
	`animation-timing-function:steps({{.Cover.Steps}})"/>
</g>
<g class="show" style="animation-delay:{{printf "%.2f" .Done}}s">
{{range .Printed}}{{template "span" .}}{{end -}}
</g>
{{end}}</svg>
`))
