package layout

import (
	"bufio"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/x/border"
)

var update = flag.Bool("update", false, "write golden files")

// typeset puts a text on a page. Letters are half as wide as the type size, wide characters as wide. The text is
// vertical if flags contain 'v', bold for 'b' and monospaced for 'm'.
func typeset(x, y, size float64, flags, text string) []Char {
	var out []Char
	for _, r := range text {
		advance := size / 2
		if wide(r) || r == '\u3000' {
			advance = size
		}
		c := Char{Rune: r, Box: Box{x, y - 0.8*size, x + advance, y + 0.2*size}, Size: size}
		c.Bold, c.Mono = strings.Contains(flags, "b"), strings.Contains(flags, "m")
		if strings.Contains(flags, "v") {
			c.Box = Box{x, y, x + size, y + advance}
			y += advance
		} else {
			x += advance
		}
		out = append(out, c)
	}
	return out
}

// document reads a description of pages: "page", "text X Y SIZE FLAGS TEXT", "rule X0 Y0 X1 Y1" and "mark LEVEL PAGE Y
// TITLE".
func document(t *testing.T, path string) (pages []Page, outline []Bookmark) {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for in := bufio.NewScanner(f); in.Scan(); {
		kind, rest, _ := strings.Cut(in.Text(), " ")
		part := strings.SplitN(rest, " ", 5)
		var a, b, c, d float64
		switch kind {
		case "page":
			pages = append(pages, Page{Number: len(pages) + 1, Width: 600, Height: 800})
			continue
		case "mark":
			var m Bookmark
			if _, err := fmt.Sscan(rest, &m.Level, &m.Page, &m.Y); err != nil {
				t.Fatal(err)
			}
			m.Title = strings.SplitN(rest, " ", 4)[3]
			outline = append(outline, m)
			continue
		case "text":
			_, err = fmt.Sscan(rest, &a, &b, &c)
		case "rule":
			_, err = fmt.Sscan(rest, &a, &b, &c, &d)
		default:
			continue
		}
		if err != nil {
			t.Fatalf("%s: %v", in.Text(), err)
		}
		p := &pages[len(pages)-1]
		if kind == "rule" {
			p.Rules = append(p.Rules, Box{a, b, c, d})
		} else {
			p.Chars = append(p.Chars, typeset(a, b, c, part[3], part[4])...)
		}
	}
	return pages, outline
}

func blocks(pages []Page, outline []Bookmark) []sdk.Block {
	var sheets []Sheet
	for _, p := range pages {
		sheets = append(sheets, Cut(p))
	}
	return Blocks(sheets, outline)
}

func written(blocks []sdk.Block) string {
	var b strings.Builder
	for _, block := range blocks {
		fmt.Fprintf(&b, "(page %d)\n", block.Place.Page)
		if block.Level > 0 {
			fmt.Fprintf(&b, "%s %s\n\n", strings.Repeat("#", block.Level), block.Heading)
		}
		if block.Text != "" {
			b.WriteString(block.Text + "\n\n")
		}
	}
	return b.String()
}

func TestBlocks(t *testing.T) {
	files, err := filepath.Glob("testdata/*.page")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".page")
		t.Run(name, func(t *testing.T) {
			got := blocks(document(t, file))
			golden := strings.TrimSuffix(file, ".page") + ".md"
			if *update {
				if err := os.WriteFile(golden, []byte(written(got)), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(want), written(got)); diff != "" {
				t.Error(diff)
			}
			if err := border.CheckConverted(&sdk.Converted{Blocks: got}); err != nil {
				t.Error(err)
			}
		})
	}
}

// All words of a page are in its text, whatever their order and position.
func TestNoWordIsLost(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := Page{Number: 1, Width: 600, Height: 800}
		var words []string
		for i := range rapid.IntRange(1, 40).Draw(t, "lines") {
			size := rapid.SampledFrom([]float64{8, 10, 10, 10, 14, 20}).Draw(t, "size")
			x, y := rapid.Float64Range(20, 400).Draw(t, "x"), 130+float64(i)*25*float64(rapid.IntRange(0, 1).Draw(t, "beside"))
			word := fmt.Sprintf("w%cq%cz", 'a'+i/20, 'a'+i%20)
			flags := rapid.SampledFrom([]string{"-", "b", "m"}).Draw(t, "flags")
			p.Chars = append(p.Chars, typeset(x, y+float64(i), size, flags, word)...)
			words = append(words, word)
		}
		text := strings.Join(strings.Fields(written(blocks([]Page{p}, nil))), "")
		for _, w := range words {
			for _, r := range w {
				if !strings.ContainsRune(text, r) {
					t.Fatalf("%q is lost: %s", w, text)
				}
			}
		}
	})
}

func FuzzBlocks(f *testing.F) {
	f.Add([]byte("an example of text that is put anywhere"), "A title", uint8(3))
	f.Add([]byte("\x00\x01\x02\xff\xfe表の行"), "# \n", uint8(1))
	f.Fuzz(func(t *testing.T, data []byte, title string, pages uint8) {
		if len(data) > 4096 || !utf8.ValidString(title) {
			return
		}
		var all []Page
		for n := range int(pages%4) + 1 {
			p := Page{Number: n + 1, Width: 600, Height: 800}
			for i := 0; i+4 <= len(data); i += 4 {
				d := data[i : i+4]
				x, y, size := float64(d[1])*3, float64(d[2])*4, float64(d[3]%30)
				runes := []rune("aB1.-•・、。漢かｱ#|`~>=…\u00ad\ufffd\x00\u3000")
				c := Char{Rune: runes[int(d[0])%len(runes)], Size: size, Box: Box{x, y, x + size, y + size}}
				c.Bold, c.Mono, c.Turned = d[3]&32 > 0, d[3]&64 > 0, d[3]&128 > 0
				p.Chars = append(p.Chars, c)
				if d[0] > 200 {
					p.Rules = append(p.Rules, Box{x, y, x + float64(d[3]), y + float64(d[0]%4)})
				}
			}
			all = append(all, p)
		}
		outline := []Bookmark{{Level: int(pages), Title: title, Page: int(pages % 5), Y: float64(pages)}}
		got := blocks(all, outline)
		if err := border.CheckConverted(&sdk.Converted{Blocks: got}); err != nil {
			t.Error(err)
		}
		for _, b := range got {
			if b.Place.Page < 1 || b.Place.Page > len(all) {
				t.Errorf("page %d of %d", b.Place.Page, len(all))
			}
		}
	})
}
