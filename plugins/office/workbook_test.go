package office

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestWorkbook(t *testing.T) {
	src := packed(
		"_rels/.rels", relationships("officeDocument", "xl/workbook.xml"),
		"xl/workbook.xml", `<workbook xmlns:r="x"><sheets><sheet name="保証 1" r:id="r1"/><sheet name="Gone" r:id="r4"/></sheets></workbook>`,
		"xl/_rels/workbook.xml.rels", relationships("worksheet", "worksheets/a.xml", "sharedStrings", "sharedStrings.xml", "styles", "styles.xml", "worksheet", "b.xml"),
		"xl/sharedStrings.xml", `<sst><si><t>型番</t><rPh><t>カタバン</t></rPh></si><si><r><t>保</t></r><r><t>証</t></r></si></sst>`,
		"xl/styles.xml", `<styleSheet><numFmts><numFmt numFmtId="164" formatCode="yyyy&quot;年&quot;m&quot;月&quot;"/></numFmts>
<cellStyleXfs><xf numFmtId="0"/></cellStyleXfs><cellXfs><xf numFmtId="0"/><xf numFmtId="164"/><xf numFmtId="10"/><xf numFmtId="22"/></cellXfs></styleSheet>`,
		"xl/worksheets/a.xml", `<worksheet><sheetData>
<row r="1"><c r="B1" t="inlineStr"><is><t>Products</t></is></c></row>
<row r="2"><c r="B2" t="s"><v>0</v></c><c r="D2" t="s"><v>1</v></c><c r="E2" t="str"><f>A1</f><v>x|y</v></c></row>
<row r="3"><c r="B3"><v>0.1</v></c><c r="D3" s="1"><v>45352</v></c><c r="E3" s="2"><v>0.055</v></c></row>
<row r="4"><c r="B4" t="b"><v>1</v></c><c r="D4" s="3"><v>45352.5</v></c><c r="E4" t="e"><v>#N/A</v></c></row>
<row r="6"><c r="A6"><v>1234567</v></c></row></sheetData></worksheet>`,
	)
	const want = "#  保証 1 {保証 1}\nProducts\n\n| 型番 | 保証 | x\\|y |\n| --- | --- | --- |\n| 0.1 | 2024-03-01 | 5.5% |\n" +
		"| TRUE | 2024-03-01 12:00 | #N/A |\n\n1234567\n# Gone {Gone}\n! Gone: \"xl/b.xml\" is missing from the file\n"
	if got := shown(t, src); got != strings.Replace(want, "#  ", "# ", 1) {
		t.Errorf("%s", cmp.Diff(want, got))
	}
}

func TestNumbers(t *testing.T) {
	for _, c := range []struct {
		n            int
		format, want string
	}{
		{1, "lowerLetter", "a"}, {28, "upperLetter", "BB"}, {1994, "upperRoman", "MCMXCIV"}, {4, "lowerRoman", "iv"},
		{3, "decimalZero", "03"}, {12, "decimalFullWidth", "１２"}, {20, "decimalEnclosedCircle", "⑳"}, {2, "aiueo", "イ"},
		{2, "iroha", "ロ"}, {111, "japaneseCounting", "百十一"}, {20, "japaneseCounting", "二十"}, {-1, "upperRoman", "-1"},
	} {
		if got := count(c.n, c.format); got != c.want {
			t.Errorf("%d as %s is %q, want %q", c.n, c.format, got, c.want)
		}
	}
}

func TestRowsAreBounded(t *testing.T) {
	var rows strings.Builder
	for range maxRows + 10 {
		rows.WriteString("<row><c><v>1</v></c><c><v>2</v></c></row>")
	}
	src := packed("_rels/.rels", relationships("officeDocument", "xl/workbook.xml"),
		"xl/workbook.xml", `<workbook xmlns:r="x"><sheets><sheet name="S" r:id="r1"/></sheets></workbook>`,
		"xl/_rels/workbook.xml.rels", relationships("worksheet", "s.xml"), "xl/s.xml", "<worksheet><sheetData>"+rows.String()+"</sheetData></worksheet>")
	out, err := convert(src)
	if err != nil || len(out.Problems) != 1 || out.Problems[0].Reason != fmt.Sprintf("the sheet is too large: its rows from %d on were not read", maxRows+1) {
		t.Fatalf("%v, %v", out.Problems, err)
	}
	n := 1 // includes the first row, which is repeated in each part
	for _, block := range out.Blocks[1:] {
		n += strings.Count(block.Text, "\n") - 1
	}
	if n != maxRows {
		t.Errorf("%d lines", n)
	}
}

// TestSharedStringsAreBounded has a small workbook whose cells would take 4 GB.
func TestSharedStringsAreBounded(t *testing.T) {
	row := "<row>" + strings.Repeat(`<c t="s"><v>0</v></c>`, 8) + "</row>"
	src := packed("_rels/.rels", relationships("officeDocument", "xl/workbook.xml"),
		"xl/workbook.xml", `<workbook xmlns:r="x"><sheets><sheet name="S" r:id="r1"/></sheets></workbook>`,
		"xl/_rels/workbook.xml.rels", relationships("worksheet", "s.xml", "sharedStrings", "t.xml"),
		"xl/t.xml", "<sst><si><t>"+strings.Repeat("x ", 512<<10)+"</t></si></sst>",
		"xl/s.xml", "<worksheet><sheetData>"+strings.Repeat(row, 512)+"</sheetData></worksheet>")
	out, err := convert(src)
	if err != nil || len(out.Problems) == 0 || out.Problems[0].Reason != "the sheet is too large: its rows from 5 on were not read" {
		t.Fatalf("%v, %v", out, err)
	}
}

// A long table is written in parts, each with the column names.
func TestLongTables(t *testing.T) {
	rows := `<row r="1"><c r="B1"><v>0</v></c></row><row r="3"><c r="B3" t="str"><v>id</v></c><c r="AB3" t="str"><v>fee</v></c></row>`
	for n := 4; n <= 94; n++ {
		rows += fmt.Sprintf(`<row r="%d"><c r="B%[1]d"><v>%[1]d</v></c><c r="AB%[1]d"><v>7</v></c></row>`, n)
	}
	src := packed("_rels/.rels", relationships("officeDocument", "w.xml"), "_rels/w.xml.rels", relationships("worksheet", "s.xml"),
		"w.xml", `<workbook xmlns:r="x"><sheet name="S" r:id="r1"/></workbook>`, "s.xml", `<worksheet><sheetData>`+rows+`</sheetData></worksheet>`)
	out, err := convert(src)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, b := range out.Blocks {
		lines := strings.Split(b.Text, "\n")
		got = append(got, fmt.Sprintln(b.Level, b.Heading, b.Place.Sheet, lines[0], lines[len(lines)-1], len(lines)))
	}
	want := []string{"1 S S 0 0 1\n", "2 B4:AB43 S | id | fee | | 43 | 7 | 42\n", "2 B44:AB83 S | id | fee | | 83 | 7 | 42\n",
		"2 B84:AB94 S | id | fee | | 94 | 7 | 13\n"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestColumnsAreBounded(t *testing.T) {
	const wide = `<worksheet><sheetData><row r="1"><c r="A1"><v>1</v></c><c r="IV1"><v>256</v></c><c r="%s"><v>%s</v></c></row></sheetData></worksheet>`
	src := packed("_rels/.rels", relationships("officeDocument", "xl/workbook.xml"),
		"xl/workbook.xml", `<workbook xmlns:r="x"><sheets><sheet name="S" r:id="r1"/><sheet name="T" r:id="r2"/><sheet name="U" r:id="r3"/></sheets></workbook>`,
		"xl/_rels/workbook.xml.rels", relationships("worksheet", "s.xml", "worksheet", "t.xml", "worksheet", "u.xml"),
		"xl/s.xml", fmt.Sprintf(wide, "IV1", "256"), "xl/t.xml", fmt.Sprintf(wide, "IW1", "257"), "xl/u.xml", fmt.Sprintf(wide, "IW1", ""))
	const want = "# S {S}\n1 256\n# T {T}\n1 256\n# U {U}\n1 256\n! T: columns beyond the 256th were not read\n"
	if diff := cmp.Diff(want, shown(t, src)); diff != "" {
		t.Error(diff)
	}
}

// Programs write formulas without their values; only spreadsheet programs such as Excel calculate.
func TestFormulasWithoutValues(t *testing.T) {
	const rows = `<worksheet><sheetData><row r="1"><c r="A1"><v>7</v></c><c r="B1"><f>A1*2</f><v>14</v></c></row>` +
		`<row r="2"><c r="A2"><v>8</v></c><c r="B2"><f>A2*2</f><v/></c><c r="C2" t="b"><f>A2&gt;1</f></c>` +
		`<c r="D2" t="str"><f>IF(A2,"","x")</f><v></v></c></row></sheetData></worksheet>`
	src := packed("_rels/.rels", relationships("officeDocument", "xl/workbook.xml"),
		"xl/workbook.xml", `<workbook xmlns:r="x"><sheets><sheet name="S" r:id="r1"/><sheet name="T" r:id="r2"/></sheets></workbook>`,
		"xl/_rels/workbook.xml.rels", relationships("worksheet", "s.xml", "worksheet", "t.xml"),
		"xl/s.xml", rows, "xl/t.xml", strings.Replace(rows, "<v/>", "<v>16</v>", 1))
	const want = "# S {S}\n| 7 | 14 |\n| --- | --- |\n| 8 | |\n# T {T}\n| 7 | 14 |\n| --- | --- |\n| 8 | 16 |\n" +
		"! S: formulas without a saved value: 2\n! T: formulas without a saved value: 1\n"
	if diff := cmp.Diff(want, shown(t, src)); diff != "" {
		t.Error(diff)
	}
}

func TestCommentsOnCells(t *testing.T) {
	src := packed("_rels/.rels", relationships("officeDocument", "w.xml"),
		"w.xml", `<workbook xmlns:r="x"><sheet name="S" r:id="r1"/></workbook>`, "_rels/w.xml.rels", relationships("worksheet", "s.xml"),
		"s.xml", `<worksheet><sheetData><row><c><v>1</v></c></row></sheetData></worksheet>`, "_rels/s.xml.rels", relationships("comments", "c.xml"),
		"c.xml", `<comments><authors><author>Ann</author></authors><commentList><comment ref="B4"><text><r><t>Ann:</t></r><r><t xml:space="preserve">
round up</t></r></text></comment><comment ref="B5"><text/></comment></commentList></comments>`)
	if diff := cmp.Diff("# S {S}\n1\n\nB4: Ann: round up\n", shown(t, src)); diff != "" {
		t.Error(diff)
	}
}

func TestTextOfShapesOnSheets(t *testing.T) {
	src := packed("_rels/.rels", relationships("officeDocument", "w.xml"),
		"w.xml", `<workbook xmlns:r="x"><sheet name="S" r:id="r1"/></workbook>`, "_rels/w.xml.rels", relationships("worksheet", "s.xml"),
		"s.xml", `<worksheet><sheetData><row><c><v>1</v></c></row></sheetData><drawing/></worksheet>`, "_rels/s.xml.rels", relationships("drawing", "d.xml"),
		"d.xml", `<xdr:wsDr `+drawing+`><xdr:twoCellAnchor><xdr:sp><xdr:txBody><a:p><a:r><a:t>Press </a:t></a:r><a:r><a:t>both.</a:t></a:r></a:p>`+
			`<a:p/><a:p><a:fld><a:t>Then wait.</a:t></a:fld></a:p></xdr:txBody></xdr:sp></xdr:twoCellAnchor></xdr:wsDr>`)
	if diff := cmp.Diff("# S {S}\n1\n\nPress both.\n\nThen wait.\n", shown(t, src)); diff != "" {
		t.Error(diff)
	}
}

func FuzzSheet(f *testing.F) {
	f.Add(`<row r="3"><c r="B2" s="1"><v>45000.5</v></c><c t="s"><v>0</v></c></row>`, `yyyy"x"[h]\`)
	f.Fuzz(func(t *testing.T, rows, code string) {
		check(t, packed("_rels/.rels", relationships("officeDocument", "w.xml"), "w.xml", `<workbook xmlns:r="x"><sheet name="S" r:id="r1"/></workbook>`,
			"_rels/w.xml.rels", relationships("worksheet", "s.xml", "sharedStrings", "s.xml"), "s.xml", "<worksheet><sheetData>"+rows+"</sheetData></worksheet>"))
		formatOf(code)
	})
}
