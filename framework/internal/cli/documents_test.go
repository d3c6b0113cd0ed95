package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
)

// sentences are what generated documents say, besides units.
var sentences = []string{
	"保証期間は購入日から1年間です。", "ただし、消耗品は保証の対象外とする。", "返品の期限は商品の到着後14日以内です。別表1を参照。",
	"RAIDの構築には2台以上のディスクが要る。", "エラー E-1042 が出たら電源を切る。", "第3条に定める場合を除き、保険金は支払われない。",
	"Returns are accepted within 30 days of delivery.", "Returns are not accepted after 14 days, see section 2.1.",
	"The deployment window is frozen except for E-1042.", "A fingerprint is the hash of a key.", "WHEN the count is 1 THEN the system SHALL answer 409.",
	"The retry limit is 5 and the timeout MUST be 30 seconds.",
}

// writer makes queries and documents at random.
type writer struct{ *rand.Rand }

func newWriter(seed, n uint64) writer { return writer{rand.New(rand.NewPCG(seed, n))} }

func pick[T any](r *rand.Rand, from []T) T { return from[r.IntN(len(from))] }

// often reports true in one of n cases.
func (w writer) often(n int) bool { return w.IntN(n) == 0 }

// words returns a few sentences, words and units, most often few.
func (w writer) words() string {
	var b strings.Builder
	for range 1 + w.IntN(1+w.IntN(8)) {
		switch w.IntN(5) {
		case 0:
			b.WriteString(repeated(pick(w.Rand, units), 1+w.IntN(1+w.IntN(40))))
		case 1:
			fmt.Fprintf(&b, "%c", rune(w.IntN(0x3100))) // also control characters and combining ones
		case 2:
			b.WriteString(pick(w.Rand, strings.Fields(pick(w.Rand, sentences))))
		default:
			b.WriteString(pick(w.Rand, sentences))
		}
		b.WriteString(pick(w.Rand, []string{"", " ", "　", "\n", "とは", " -"}))
	}
	return b.String()
}

// query is words, a question of people, or a text as long as nobody types.
func (w writer) query() string {
	switch w.IntN(20) {
	case 0:
		return repeated(pick(w.Rand, units), pick(w.Rand, []int{1, 255, 256, 257, 3000, 4000, 4001, 20_000}))
	case 1:
		return pick(w.Rand, []string{"", " ", "\x00", "\u202e", "\ufeff", "\ufffd", "a\x00b", "\r\n", "%00", "${HOME}", "'; --", "😀\u200d👩"})
	case 2, 3, 4, 5, 6:
		return fmt.Sprintf("%s %s%d", pick(w.Rand, sentences), pick(w.Rand, []string{"", "-", `"`, "E-"}), w.IntN(2000))
	}
	return w.words()
}

// document returns a file's text, whole or broken, and what its name ends with.
func (w writer) document() (ext string, text []byte) {
	ext, text = ".md", []byte(w.markdown())
	if w.often(4) {
		ext, text = ".json", []byte(w.json(1+w.IntN(6)))
	}
	switch w.IntN(24) {
	case 0:
		text = text[:w.IntN(len(text)+1)]
	case 1:
		text = append([]byte("\ufeff"), text...)
	case 2:
		text = bytes.ReplaceAll(text, []byte("\n"), []byte("\r\n"))
	case 3:
		text = bytes.ReplaceAll(text, []byte("\n"), []byte("\r"))
	case 4:
		text = w.put(text, "\x00")
	case 5:
		text = w.put(text, pick(w.Rand, []string{"\xff", "\xe3\x81", "\xed\xa0\x80", "\x82\xa0\x82\xa2", "\xc0\xaf"}))
	case 6:
		text = append([]byte("\xff\xfe"), text...)
	case 7:
		text = nil
	case 8:
		text = append(text, repeated(pick(w.Rand, units), 100_000)...)
	}
	return ext, text
}

// put writes something into a text at a few places.
func (w writer) put(text []byte, what string) []byte {
	for range 1 + w.IntN(3) {
		at := w.IntN(len(text) + 1)
		text = append(text[:at:at], append([]byte(what), text[at:]...)...)
	}
	return text
}

func (w writer) markdown() string {
	var b strings.Builder
	if w.often(5) {
		fmt.Fprintf(&b, "---\ntitle: %s\nsource_refs: [%s\n%s", w.words(), w.words(), pick(w.Rand, []string{"---\n", "", "...\n"}))
	}
	for range 1 + w.IntN(12) {
		w.block(&b)
		b.WriteString(pick(w.Rand, []string{"\n", "\n\n", "\n\n", "", " \n"}))
	}
	return b.String()
}

func (w writer) block(b *strings.Builder) {
	switch w.IntN(16) {
	case 0, 1, 2, 3:
		fmt.Fprintf(b, "%s %s\n", strings.Repeat("#", 1+w.IntN(7)), w.words())
	case 4:
		fmt.Fprintf(b, "%s\n%s", w.words(), pick(w.Rand, []string{"===", "---", "-", "=== ==="}))
	case 5:
		for range 1 + w.IntN(6) {
			fmt.Fprintf(b, "%s%s %s\n", strings.Repeat("  ", w.IntN(8)), pick(w.Rand, []string{"-", "*", "1.", "99)", "- [ ]", "+"}), w.words())
		}
	case 6:
		for range 2 + w.IntN(5) {
			fmt.Fprintf(b, "|%s|%s%s\n", w.words(), pick(w.Rand, []string{"---|", "30日|5円", "", ":-:|"}), pick(w.Rand, []string{"|", ""}))
		}
	case 7:
		fmt.Fprintf(b, "%s\n# %s\n%s", pick(w.Rand, []string{"```", "~~~~", "```mermaid\nflowchart TD\nA-->B", "    "}), w.words(), pick(w.Rand, []string{"```", "~~~~", ""}))
	case 8:
		b.WriteString(strings.Repeat(pick(w.Rand, []string{"> ", "- ", "[", "(", "*", "<b>", "> - "}), 1+w.IntN(1000)) + w.words())
	case 9:
		fmt.Fprintf(b, "<%s>\n# %s\n", pick(w.Rand, []string{"div", "!--", "script", "table", "pre"}), w.words())
	case 10:
		fmt.Fprintf(b, "第%d条 %s\n[%s](%s)\n\n[x]: %s", w.IntN(9), w.words(), w.words(), w.words(), w.words())
	case 11:
		fmt.Fprintf(b, "### Requirement: %s\n%s\n#### Scenario: %s\n- **WHEN** %s\n- **THEN** %s", w.words(), w.words(), w.words(), w.words(), w.words())
	case 12:
		b.WriteString(repeated(pick(w.Rand, units), w.IntN(3000)))
	default:
		b.WriteString(w.words())
	}
}

// json returns a value of that depth, now and then of one nobody expects, or with members twice.
func (w writer) json(depth int) string {
	if w.often(40) {
		n := 1 + w.IntN(20_000)
		return strings.Repeat(pick(w.Rand, []string{"[", `{"a":`, `[{"a":`}), n)
	}
	text, _ := json.Marshal(w.words())
	switch kind := w.IntN(6); {
	case depth == 0 || kind == 0:
		return pick(w.Rand, []string{string(text), "1e999", "-0", "null", "true", "123456789012345678901234567890", `"\ud800"`, "NaN", ""})
	case kind < 3:
		return fmt.Sprintf("[%s,\n%s]", w.json(depth-1), w.json(depth-1))
	}
	return fmt.Sprintf("{%s: %s,\n\"title\": %s, \"title\": %s}", text, w.json(depth-1), text, w.json(depth-1))
}

// publish rewrites a file of publications, with records that are none.
func (w writer) publish(folder string) {
	var b strings.Builder
	for range 1 + w.IntN(20) {
		record := map[string]any{"pub_id": fmt.Sprintf("JP2021-%06dA", w.IntN(200)), "title": w.words(), "abst": w.words(), "claim": w.words(), "fi": []string{"G06V10/82", w.words()}}
		if w.often(10) {
			record[pick(w.Rand, []string{"pub_id", "fi", "publication_date", "claim"})] = pick(w.Rand, []any{nil, 5, w.words(), []any{}})
		}
		raw, _ := json.Marshal(record)
		b.Write(raw[:len(raw)-w.IntN(2)*w.IntN(2)*w.IntN(2)])
		b.WriteString("\n")
	}
	os.WriteFile(filepath.Join(folder, fmt.Sprintf("edited-%d.jsonl", w.IntN(3))), []byte(b.String()), 0o644)
}
