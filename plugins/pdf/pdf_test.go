package main

import (
	"bytes"
	"compress/zlib"
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/x/border"
)

// converter is compiled once for all tests.
var converter = sync.OnceValue(New)

func convert(t *testing.T, ctx context.Context, content []byte) (*sdk.Converted, error) {
	t.Helper()
	out, err := converter().Convert(ctx, sdk.Document{
		Name: "a.pdf", MediaType: "application/pdf", Content: bytes.NewReader(content), Size: int64(len(content)),
	})
	if err == nil {
		if err := border.CheckConverted(out); err != nil {
			t.Error(err)
		}
	}
	return out, err
}

// file returns a PDF with numbered objects, starting at 1; the first is the catalogue.
func file(objects ...string) []byte {
	var b bytes.Buffer
	b.WriteString("%PDF-1.7\n")
	offsets := make([]int, len(objects))
	for i, o := range objects {
		offsets[i] = b.Len()
		fmt.Fprintf(&b, "%d 0 obj\n%s\nendobj\n", i+1, o)
	}
	at := b.Len()
	fmt.Fprintf(&b, "xref\n0 %d\n0000000000 65535 f \n", len(objects)+1)
	for _, o := range offsets {
		fmt.Fprintf(&b, "%010d 00000 n \n", o)
	}
	fmt.Fprintf(&b, "trailer<</Size %d/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF\n", len(objects)+1, at)
	return b.Bytes()
}

const (
	catalogue = "<</Type/Catalog/Pages 2 0 R>>"
	onePage   = "<</Type/Pages/Kids[3 0 R]/Count 1>>"
	helvetica = "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>"
)

func stream(dict, content string) string {
	return fmt.Sprintf("<<%s/Length %d>>stream\n%s\nendstream", dict, len(content), content)
}

// page returns a page with object 5 as its content and object 4 as its font F.
func page(more string) string {
	return "<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Resources<</Font<</F 4 0 R>>>>/Contents 5 0 R" + more + ">>"
}

func simple(content string) []byte {
	return file(catalogue, onePage, page(""), helvetica, stream("", content))
}

const sentence = "BT /F 12 Tf 50 700 Td (A warranty covers one year.) Tj ET "

func TestConvert(t *testing.T) {
	second := "<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Contents 6 0 R>>"
	got, err := convert(t, t.Context(), file(
		"<</Type/Catalog/Pages 2 0 R/Outlines 8 0 R>>", "<</Type/Pages/Kids[3 0 R 7 0 R]/Count 2>>", page(""), helvetica,
		stream("", "BT /F 20 Tf 50 740 Td (1 Terms) Tj ET "+sentence), stream("", "10 10 100 100 re f"), second,
		"<</Type/Outlines/First 9 0 R/Last 9 0 R/Count 1>>", "<</Title(Terms)/Parent 8 0 R/Dest[3 0 R/XYZ 0 760 0]>>",
	))
	if err != nil {
		t.Fatal(err)
	}
	want := &sdk.Converted{
		Blocks: []sdk.Block{{
			Level: 1, Heading: "1 Terms", Text: "A warranty covers one year.", Place: sdk.Place{Page: 1},
		}},
		Problems: []sdk.Problem{{Place: sdk.Place{Page: 2}, Reason: "no text"}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// A document may name a font of another script without containing it.
func TestFontThatIsNotEmbedded(t *testing.T) {
	for name, tc := range map[string]struct{ ordering, encoding, particle, want string }{
		"Japanese": {"Japan1", "UniJIS-UTF16-H", "3084", "XMLやSGML"},
		"Korean":   {"Korea1", "UniKS-UTF16-H", "B098", "XML 나 SGML"},
		"Chinese":  {"GB1", "UniGB-UTF16-H", "548C", "XML和SGML"},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := convert(t, t.Context(), file(catalogue, onePage,
				strings.Replace(page(""), "<</F 4 0 R>>", "<</F 4 0 R/G 6 0 R>>", 1), helvetica,
				stream("", "BT /F 10 Tf 50 700 Td (XML) Tj /G 10 Tf 25 0 Td <"+tc.particle+"> Tj "+
					"/F 10 Tf 14 0 Td (SGML) Tj ET"),
				"<</Type/Font/Subtype/Type0/BaseFont/Ming/Encoding/"+tc.encoding+"/DescendantFonts[7 0 R]>>",
				"<</Type/Font/Subtype/CIDFontType0/BaseFont/Ming/FontDescriptor<</Type/FontDescriptor/FontName/Ming"+
					"/Flags 4>>/CIDSystemInfo<</Registry(Adobe)/Ordering("+tc.ordering+")/Supplement 2>>>>",
			))
			if err != nil {
				t.Fatal(err)
			}
			want := []sdk.Block{{Text: tc.want, Place: sdk.Place{Page: 1}}}
			if diff := cmp.Diff(want, got.Blocks); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// A hostile document is converted to text, or yields an error that says why not.
func TestHostileDocuments(t *testing.T) {
	var bomb bytes.Buffer
	w := zlib.NewWriter(&bomb)
	for range 64 {
		_, _ = w.Write(bytes.Repeat([]byte(" "), 1<<20)) // into memory
	}
	_ = w.Close() // into memory
	whole := simple(sentence)
	read := func(name string) []byte {
		content, err := os.ReadFile("testdata/" + name)
		if err != nil {
			t.Fatal(err)
		}
		return content
	}
	outline := func(first string, more ...string) []byte {
		return file(append([]string{
			"<</Type/Catalog/Pages 2 0 R/Outlines 6 0 R>>", onePage, page(""), helvetica, stream("", sentence),
			"<</First 7 0 R/Last 7 0 R/Count 1>>", first,
		}, more...)...)
	}
	var deep []string
	for i := range 3000 {
		deep = append(deep, fmt.Sprintf("<</Title(Level %d)/Parent %d 0 R/First %d 0 R/Dest[3 0 R/Fit]>>", i, i+6, i+8))
	}
	var tree []string
	for i := range 3000 {
		tree = append(tree, fmt.Sprintf("<</Type/Pages/Parent %d 0 R/Kids[%d 0 R]/Count 1>>", i+1, i+3))
	}
	many := strings.Repeat("BT /F 1 Tf 50 700 Td (xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx) Tj ET ", 6000)
	identity := "<</Type/Font/Subtype/Type0/BaseFont/X/Encoding/Identity-H/DescendantFonts[6 0 R]>>"
	descendant := "<</Type/Font/Subtype/CIDFontType2/BaseFont/X/CIDSystemInfo<</Registry(X)/Ordering(Y)/Supplement 0>>" +
		"/FontDescriptor<</Type/FontDescriptor/FontName/X/Flags 4/FontBBox[0 0 1 1]>>>>"
	const yes, scanned, broken = "", "it has no text; it may be scanned", "it is damaged or no PDF"
	for name, tc := range map[string]struct {
		content []byte
		want    string // the error, or "any" for any result
	}{
		"nothing":                    {nil, broken},
		"one byte":                   {[]byte("%"), broken},
		"a header alone":             {[]byte("%PDF-1.7\n"), broken},
		"half of it":                 {whole[:len(whole)/2], broken},
		"the end cut off":            {whole[:len(whole)-20], yes},
		"an archive":                 {[]byte("PK\x03\x04" + strings.Repeat("\x00", 400)), broken},
		"text":                       {[]byte(strings.Repeat("This is no PDF at all.\n", 99)), broken},
		"a PDF behind other things":  {append([]byte(strings.Repeat("junk\n", 20)), whole...), "any"},
		"a password":                 {read("password.pdf"), "it is encrypted with a password"},
		"an owner's password":        {read("owner.pdf"), yes},
		"a table of itself":          {bytes.Replace(whole, []byte("/Root"), []byte("/Prev 9/Root"), 1), "any"},
		"tables that go round":       {bytes.Replace(whole, []byte("/Root 1 0 R"), []byte("/Root 1 0 R/Prev 500"), 1), "any"},
		"offsets beyond the end":     {bytes.ReplaceAll(whole, []byte("00000 n"), []byte("99999 n")), "any"},
		"two thousand million pages": {bytes.Replace(whole, []byte("/Count 1"), []byte("/Count 2000000000"), 1), "any"},
		"fewer pages than none":      {bytes.Replace(whole, []byte("/Count 1"), []byte("/Count -5"), 1), "any"},
		"pages below themselves":     {file(catalogue, "<</Type/Pages/Kids[2 0 R]/Count 1>>"), broken},
		"pages far below":            {file(append([]string{catalogue}, append(tree, page(""))...)...), "any"},
		"no pages":                   {file(catalogue, "<</Type/Pages/Kids[]/Count 0>>"), broken},
		"a catalogue of itself":      {file("1 0 R"), broken},
		"a bookmark after itself":    {outline("<</Title(Loop)/Parent 6 0 R/Next 7 0 R/Dest[3 0 R/Fit]>>"), yes},
		"a bookmark below itself":    {outline("<</Title(Loop)/Parent 6 0 R/First 7 0 R/Dest[3 0 R/Fit]>>"), yes},
		"bookmarks far below":        {outline("<</Title(Top)/Parent 6 0 R/First 8 0 R/Dest[3 0 R/Fit]>>", deep...), yes},
		"a length that lies":         {bytes.Replace(whole, []byte("/Length 5"), []byte("/Length 99999995"), 1), "any"},
		"a bomb": {file(catalogue, onePage, page(""), helvetica,
			stream("/Filter/FlateDecode", bomb.String())), "any"},
		"a filter of itself": {file(catalogue, onePage, page(""), helvetica,
			stream("/Filter["+strings.Repeat("/FlateDecode", 500)+"]", bomb.String())), "any"},
		"a form in itself": {file(catalogue, onePage,
			"<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Resources<</XObject<</X 5 0 R>>>>/Contents 4 0 R>>",
			stream("", "/X Do"),
			stream("/Type/XObject/Subtype/Form/BBox[0 0 9 9]/Resources<</XObject<</X 5 0 R>>>>", "/X Do /X Do")), "any"},
		"states without end":     {simple(strings.Repeat("q ", 100_000) + sentence), yes},
		"arrays without end":     {simple(strings.Repeat("[", 100_000) + sentence), "any"},
		"very many letters":      {simple(many), yes},
		"type of no size":        {simple("BT /F 0 Tf 50 700 Td (A warranty) Tj ET"), "any"},
		"type larger than paper": {simple("BT /F 1e30 Tf 50 700 Td (A warranty) Tj ET"), "any"},
		"a font without meaning": {file(catalogue, onePage, page(""), identity,
			stream("", "BT /F 12 Tf 50 700 Td <0001000200030004> Tj ET"), descendant),
			"its fonts do not say what its characters mean; print it anew with another program"},
		"paper of no size": {file(catalogue, onePage, page("/CropBox[0 0 0 0]"), helvetica,
			stream("", sentence)), "any"},
		"paper larger than a field": {file(catalogue, onePage, page("/CropBox[-1e38 -1e38 1e38 1e38]"), helvetica,
			stream("", sentence)), "any"},
		"an image of nothing": {file(catalogue, onePage,
			"<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Resources<</XObject<</I 5 0 R>>>>/Contents 4 0 R>>",
			stream("", "600 0 0 800 0 0 cm /I Do"),
			stream("/Type/XObject/Subtype/Image/Width 60000/Height 60000/BitsPerComponent 8/ColorSpace/DeviceGray"+
				"/Filter/JBIG2Decode", "x")), scanned},
	} {
		t.Run(name, func(t *testing.T) {
			out, err := convert(t, t.Context(), tc.content)
			switch {
			case tc.want == "any":
				t.Log(out, err)
			case tc.want != "" && (err == nil || err.Error() != tc.want):
				t.Errorf("%v, want %q", err, tc.want)
			case tc.want == "" && (err != nil || len(out.Blocks) == 0):
				t.Error(out, err)
			}
		})
	}
	if _, err := convert(t, t.Context(), whole); err != nil {
		t.Errorf("afterwards: %v", err)
	}
}

func TestItStopsWhenAsked(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := convert(t, ctx, simple(sentence)); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

func TestDocumentsSideBySide(t *testing.T) {
	want, err := convert(t, t.Context(), simple(sentence))
	if err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	for range 6 {
		wg.Go(func() {
			got, err := convert(t, t.Context(), simple(sentence))
			if diff := cmp.Diff(want, got); diff != "" || err != nil {
				t.Error(diff, err)
			}
		})
	}
	wg.Wait()
}

func TestWhatItSaysOfItself(t *testing.T) {
	if err := border.CheckConverter(New().DescribeConverter()); err != nil {
		t.Error(err)
	}
}

func TestTitles(t *testing.T) {
	for title, want := range map[string]string{
		"A Guide":                     "A Guide",
		" two\nlines ":                "two lines",
		"Microsoft Word - guide.docx": "",
		"guide.indd":                  "",
		"untitled":                    "",
		"手引き":                         "手引き",
	} {
		if got := titled(title); got != want {
			t.Errorf("%q: %q", title, got)
		}
	}
}

func TestGapsAreRunsOfPages(t *testing.T) {
	var g gaps
	for _, n := range []int{3, 4, 5, 9} {
		g.add(n, "no text")
	}
	want := []sdk.Problem{
		{Place: sdk.Place{Page: 3}, Reason: "no text"}, {Place: sdk.Place{Page: 4}, Reason: "no text"},
		{Place: sdk.Place{Page: 5}, Reason: "no text"}, {Place: sdk.Place{Page: 9}, Reason: "no text"},
	}
	if diff := cmp.Diff(want, g.problems()); diff != "" {
		t.Error(diff)
	}
}
