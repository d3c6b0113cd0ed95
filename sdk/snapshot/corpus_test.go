package snapshot

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/sagasu-search/sagasu/sdk/text"
)

// doc is a section with its texts, and file a file with its sections, as a test passes them to a Writer.
type doc struct {
	Section
	texts    []string
	keywords []string
}

type file struct {
	File
	docs []doc
}

// words are the parts of random texts: few, so that terms repeat.
var words = []string{
	"alpha", "beta", "running", "ERR-1042", "parseHTTPRequest", "2026", "の", "契約",
	"保険金を支払う", "サーバー", "第三条", "例外", " ", "\n", "、", "。", "x", "\u3000", "ﾃｽﾄ", "é", "|", "\n|", "|\n",
}

func genText() *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		var b bytes.Buffer
		for _, w := range rapid.SliceOfN(rapid.SampledFrom(words), 0, 12).Draw(t, "words") {
			b.WriteString(w)
			b.WriteString(rapid.SampledFrom([]string{"", " "}).Draw(t, "gap"))
		}
		return b.String()
	})
}

func genFile(fields int) *rapid.Generator[file] {
	return rapid.Custom(func(t *rapid.T) file {
		f := file{File: File{
			Size: rapid.Int64Min(0).Draw(t, "size"), ModTime: rapid.Int64().Draw(t, "mtime"),
			ChangeTime: rapid.Int64().Draw(t, "ctime"), Inode: rapid.Uint64().Draw(t, "inode"),
			Skipped: rapid.SampledFrom([]string{"", "", "not UTF-8"}).Draw(t, "skipped"),
		}}
		copy(f.SHA256[:], rapid.SliceOfN(rapid.Byte(), 32, 32).Draw(t, "sha"))
		for range rapid.IntRange(0, 6).Draw(t, "sections") {
			f.docs = append(f.docs, genDoc(fields, len(f.docs)).Draw(t, "doc"))
		}
		return f
	})
}

func genDoc(fields, before int) *rapid.Generator[doc] {
	return rapid.Custom(func(t *rapid.T) doc {
		line := rapid.IntRange(1, 1<<20)
		d := doc{Section: Section{
			Title: genText().Draw(t, "title"), Node: NodeKind(rapid.IntRange(1, 3).Draw(t, "node")),
			Level: rapid.IntRange(0, 6).Draw(t, "level"), Start: line.Draw(t, "start"), End: line.Draw(t, "end"),
			OwnEnd: line.Draw(t, "own"), Body: line.Draw(t, "body"), Parent: None,
		}}
		if before > 0 && rapid.Bool().Draw(t, "child") {
			d.Parent = uint32(rapid.IntRange(0, before-1).Draw(t, "parent"))
		}
		d.texts = rapid.SliceOfN(genText(), fields, fields).Draw(t, "texts")
		d.keywords = rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"k:a", "k:b", "k:c"}), 0, 3, rapid.ID).Draw(t, "keywords")
		return d
	})
}

// genFiles draws files with distinct names in order of group and path.
func genFiles(fields int) *rapid.Generator[[]file] {
	return rapid.Custom(func(t *rapid.T) []file {
		files := rapid.SliceOfN(genFile(fields), 0, 6).Draw(t, "files")
		for i := range files {
			files[i].Group = []string{"a", "b"}[i*2/len(files)]
			files[i].Path = fmt.Sprintf("dir/%02d.md", i)
		}
		return files
	})
}

func schemaOf(fields int) Schema {
	return Schema{Kind: KindManual, Fields: slices.Repeat([]string{"f"}, fields)}
}

// fill adds files to a new Writer. A doc's Parent counts within its file.
func fill(schema Schema, files []file) *Writer { return feed(NewWriter(schema), files) }

func feed(w *Writer, files []file) *Writer {
	for _, f := range files {
		w.AddFile(f.File)
		first := w.Len()
		for _, d := range f.docs {
			sec := d.Section
			if sec.Parent != None {
				sec.Parent += first
			}
			w.Add(sec, d.texts, d.keywords...)
		}
	}
	return w
}

// encode returns the segment file for files.
func encode(t testing.TB, schema Schema, files []file) []byte {
	t.Helper()
	var out bytes.Buffer
	n, _, err := fill(schema, files).write(&out)
	if err != nil || n != int64(out.Len()) {
		t.Fatalf("write = %d, %v; wrote %d", n, err, out.Len())
	}
	return out.Bytes()
}

// publish writes a segment for each list of files, publishes them as one snapshot and opens it.
func publish(t testing.TB, dir string, schema Schema, segments ...[]file) *Snapshot {
	t.Helper()
	name, err := NextName(dir, schema.Kind)
	if err != nil {
		t.Fatal(err)
	}
	m := Manifest{Version: FormatVersion, Name: name, Kind: schema.Kind, Fields: schema.Fields}
	for i, files := range segments {
		info, err := fill(schema, files).WriteFile(t.Context(), dir, fmt.Sprintf("%s.%d.seg", name, i))
		if err != nil {
			t.Fatal(err)
		}
		m.Segments = append(m.Segments, info)
	}
	if err := Publish(dir, m); err != nil {
		t.Fatal(err)
	}
	return open(t, dir, name)
}

func open(t testing.TB, dir, name string) *Snapshot {
	t.Helper()
	s, err := Open(dir, name, true)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Err(); err != nil {
			t.Errorf("reading met %v", err)
		}
		s.Close()
	})
	return s
}

// naive returns an index in plain form: term → section → frequency per field.
func naive(docs []doc) map[string]map[uint32][]uint8 {
	index := map[string]map[uint32][]uint8{}
	var z text.Tokenizer
	for id, d := range docs {
		for f, src := range d.texts {
			norm := text.Normalize(src)
			inRows := map[string]bool{}
			for tok := range z.Tokens(&norm) {
				at, _ := norm.Source(tok.Start, tok.End)
				before, after := src[:at], src[at:]
				line, _, _ := strings.Cut(after, "\n")
				line = strings.TrimSpace(before[strings.LastIndex(before, "\n")+1:] + line)
				again := inRows[tok.Term]
				if strings.HasPrefix(line, "|") && strings.HasSuffix(line, "|") {
					inRows[tok.Term] = true
				} else {
					again = false
				}
				row := index[tok.Term]
				if row == nil {
					row = map[uint32][]uint8{}
					index[tok.Term] = row
				}
				if row[uint32(id)] == nil {
					row[uint32(id)] = make([]uint8, len(d.texts))
				}
				if !again {
					row[uint32(id)][f] = min(row[uint32(id)][f], 254) + 1
				}
			}
		}
	}
	return index
}

// naiveLength returns the length of a text by its definition: the characters covered by a word or a bigram, and single
// characters in no bigram.
func naiveLength(src string) uint16 {
	norm := text.Normalize(src)
	var z text.Tokenizer
	toks := slices.Collect(z.Tokens(&norm))
	n := 0
	for _, tok := range toks {
		covered := slices.ContainsFunc(toks, func(o text.Token) bool {
			return o.Class == text.Bigram && o.Start <= tok.Start && tok.End <= o.End
		})
		if tok.Class == text.Word || tok.Class == text.Bigram || (tok.Class == text.Unigram && !covered) {
			n++
		}
	}
	return uint16(n)
}

// flatten returns the sections of all files with global parents.
func flatten(files []file) []doc {
	var docs []doc
	for _, f := range files {
		first := uint32(len(docs))
		for _, d := range f.docs {
			d.ID, d.Group, d.Path = uint32(len(docs)), f.Group, f.Path
			if d.Parent != None {
				d.Parent += first
			}
			docs = append(docs, d)
		}
	}
	return docs
}
