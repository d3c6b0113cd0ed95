package gazette

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"golang.org/x/text/encoding/japanese"

	"github.com/sagasu-search/sagasu/framework/internal/patents/publication"
)

func day(year, month, day int) publication.Date {
	return publication.Date{Year: year, Month: month, Day: day}
}

func TestDocumentsOfOffices(t *testing.T) {
	for name, want := range map[string][]*publication.Publication{
		"jpo.xml": {
			{
				PubID: "JP2015-123456A", AppID: "特願2013-270001", Country: "JP", Title: "傘立て",
				Abst:  "【課題】滴を受ける。\n【解決手段】受け皿を備える。",
				Claim: "【請求項1】\n皿を備える傘立て。\n【請求項2】\n前記皿が外れる請求項１に記載の傘立て。",
				Desc: "傘立て\n【技術分野】\n本発明は傘立てに関する。\n【背景技術】\n従来の傘立ては床を濡らす。\n【先行技術文献】\n【特許文献】\n特開２００９−００００１２号公報\n【発明の概要】\n【発明が解決しようとする課題】\n滴が残る。\n" +
					"【課題を解決するための手段】\n傾きθは次式による。\n【数1】\n値を示す。\n【表1】\n[image]",
				IPC: []string{"A47G25/12", "A45B25/00"}, FI: []string{"A47G25/12,170@A", "A45B25/00@Z"},
				FINorm: []string{"A47G25/12,170", "A45B25/00"}, FT: []string{"3K100AA01", "3K100AB02"},
				Applicants: []string{"雨傘工業株式会社"}, Inventors: []string{"雨宮 傘子"}, Priorities: []string{"US61750123"},
				Citations: []string{"特開2009-000012"}, PublicationDate: day(2015, 7, 2), FilingDate: day(2013, 12, 26),
			},
			{
				PubID: "JP6123456B2", AppID: "特願2013-270001", ExamID: "JP6123456B2", Country: "JP", Title: "傘立て",
				Claim: "【請求項1】\n皿と管を備える傘立て。", Citations: []string{"特開2010-111111", "米国特許第8925999", "実開平5-12345"},
				PublicationDate: day(2017, 5, 10), FilingDate: day(2013, 12, 26),
			},
			{
				PubID: "JP2022-043358A", AppID: "特願2020-148001", Country: "JP", Title: "風鈴", Abst: "音を澄ませる。",
				Claim: "【請求項1】\n澄んだ音の風鈴。", Desc: "【技術分野】\n風鈴に関する。\n【背景技術】\n音が濁る。\n【数1】",
				IPC: []string{"G10K1/06"}, FI: []string{"G10K1/06@A"}, FINorm: []string{"G10K1/06"}, FT: []string{"5D061AA01"},
				Applicants: []string{"鈴音堂"}, Inventors: []string{"風間 鈴"}, PublicationDate: day(2022, 3, 16), FilingDate: day(2020, 9, 3),
			},
			{
				PubID: "JP7123456B2", ExamID: "JP7123456B2", Country: "JP", Title: "風鈴の舌", PublicationDate: day(2022, 8, 23),
				Citations: []string{"特開2015-123456"},
			},
		},
		"before2005.xml": {
			{
				PubID: "US20030012345A1", AppID: "US9876543", Country: "US", Title: "Hose reel",
				Abst:  "A reel winds a hose [slowly] at 3 Ω and ‘stops’ [zorkmid] there.",
				Claim: "1. A reel with a drum.\n2. The reel of claim 1 with a crank.",
				Desc:  "BACKGROUND\nHoses kink.\n[table]\nkinks 7\n[formula]", IPC: []string{"B65H75/38", "B65H75/44"},
				Applicants: []string{"Garden Works"}, Inventors: []string{"Hana B. Reed", "Otto Lind"},
				Priorities: []string{"特願2000-170001", "US60212345"}, PublicationDate: day(2003, 1, 16), FilingDate: day(2001, 6, 7),
				Metadata: map[string]json.RawMessage{UnknownEntities: json.RawMessage(`["zorkmid"]`)},
			},
			{
				PubID: "US6334220B1", AppID: "US9605123", ExamID: "US6334220B1", Country: "US", Title: "Glove with a thumb",
				Abst: "A glove has CO2 in a thumb.", Desc: "FIELD\nGloves.\n[formula]", Claim: "1. A glove.\n2. The glove of claim 1, of wool.", IPC: []string{"A41D13/00", "G06F3/033"},
				Applicants: []string{"Mitten Co."}, Inventors: []string{"Ida Palm"}, Citations: []string{"US4000001A", "JP1998-222222"},
				Priorities: []string{"特願1999-345678", "特願2000-012345", "US9111111", "US60123456"}, PublicationDate: day(2002, 1, 1), FilingDate: day(2000, 6, 28),
			},
		},
	} {
		out := filepath.Join(t.TempDir(), "out.jsonl")
		report, err := Run(t.Context(), Options{Inputs: []string{filepath.Join("testdata", name)}, Output: out, Format: Auto})
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, publications(t, out), cmpopts.EquateEmpty()); diff != "" || report.Count > 0 {
			t.Errorf("%s (-want +got):\n%s\n%+v", name, diff, report.Refused)
		}
		if marked := strings.HasPrefix(name, "before"); (report.Marked == 1) != marked {
			t.Errorf("%s: %d marked", name, report.Marked)
		}
	}
}

func TestEntities(t *testing.T) {
	known, unknown := entitiesOf([]byte(`<!ENTITY own "o"><!ENTITY loop "&loop;">&own;&amp;&#x41;&lsqb;&nosuch;&nosuch;& &;&eacute;&loop;&mgr;`))
	want := map[string]string{"own": "o", "lsqb": "[", "mgr": "μ", "nosuch": "[nosuch]", "eacute": "é", "loop": "[loop]"}
	if diff := cmp.Diff(want, known) + cmp.Diff([]string{"loop", "nosuch"}, unknown); diff != "" {
		t.Error(diff)
	}
	if words := strings.Fields(isoEntities); len(words)%2 != 0 {
		t.Error("a name without its character")
	}
	for name, char := range isoTable() {
		if n := len([]rune(char)); n != 1 || len(name) < 2 {
			t.Errorf("&%s; is %q", name, char)
		}
	}
}

// Text that was converted to UTF-8 may still declare what it was before.
func TestDeclaredEncoding(t *testing.T) {
	const text = `<?xml version="1.0" encoding="EUC-JP"?><jp-official-gazette kind-of-jp="A"><bibliographic-data>` +
		`<publication-reference><document-id><country>JP</country><doc-number>2015000001</doc-number><kind>A</kind></document-id></publication-reference>` +
		`<invention-title>傘立て</invention-title></bibliographic-data></jp-official-gazette>`
	encoded, err := japanese.EUCJP.NewEncoder().String(text)
	if err != nil {
		t.Fatal(err)
	}
	for _, src := range []string{text, encoded} {
		if p, err := decodeXML([]byte(src)); err != nil || p.Title != "傘立て" {
			t.Errorf("%v, %v", p, err)
		}
	}
}
