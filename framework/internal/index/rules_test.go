package index

import (
	"crypto/sha256"
	"encoding/hex"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/sagasu-search/sagasu/framework/internal/corpus"
	"github.com/sagasu-search/sagasu/framework/internal/logic/repo"
	"github.com/sagasu-search/sagasu/framework/internal/logic/unit"
	"github.com/sagasu-search/sagasu/framework/internal/patents/publication"
	"github.com/sagasu-search/sagasu/sdk/text"
)

var update = flag.Bool("update", false, "rewrite rules.txt")

// An index of a version with other rules must not be used.
func TestRulesIdentifyHowTextsAreRead(t *testing.T) {
	h := sha256.New()
	var z text.Tokenizer
	for _, row := range sampleRows(t) {
		fmt.Fprintf(h, "%+v\n", row)
		norm := text.Normalize(strings.Join(row.Fields, "\n"))
		for tok := range z.Tokens(&norm) {
			fmt.Fprintf(h, "%+v\n", tok)
		}
	}
	want := hex.EncodeToString(h.Sum(nil)[:12])
	if *update {
		if err := os.WriteFile("rules.txt", []byte(want+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	} else if strings.TrimSpace(rules) != want {
		t.Error("texts are cut, normalised or tokenised in another way: run this test with -update, " +
			"so that indexes are built anew")
	}
}

// sampleRows returns the rows of a sample in each format.
func sampleRows(t *testing.T) (rows []corpus.Row) {
	for _, source := range []corpus.Source{corpus.ManualSource{}, corpus.VaultSource{}} {
		const name = "章 One/02_fileName-x 約款"
		for _, end := range []string{".md", ".json", ".txt", ".adoc", ".csv"} {
			rows = slices.AppendSeq(rows, source.Cut(name+end, []byte(sampleText)))
		}
		rows = slices.AppendSeq(rows, source.Cut(name+".mdx", []byte("<Tab>\n    # One\n</Tab>\n")))
		rows = slices.AppendSeq(rows, source.Cut(name+".rst", []byte(".. _one:\n\nOne\n===\n")))
		rows = slices.AppendSeq(rows, source.Cut(name+".txt", []byte("1. One\n\n  text\n\n1.1 Two\n\n  text\n")))
	}
	rows = append(rows, unit.Cut("a/b.go", repo.Code, []byte("package a\n\n"+sampleCode))...)
	rows = append(rows, unit.Cut("a/b.ts", repo.Code, []byte(sampleCode))...)
	rows = append(rows, unit.Cut("a/b.md", repo.ChangeSpec, []byte(sampleSpec))...)
	record := strings.NewReader(strings.ReplaceAll(samplePublication, "\n", ""))
	add := func(row corpus.Row) error { rows = append(rows, row); return nil }
	refuse := func(bad corpus.Refused) { t.Errorf("the sample is refused: %+v", bad) }
	err := publication.Source{}.AddRecords(t.Context(), add, record, func(string) bool { return true }, refuse)
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

// sampleText contains something of everything that cutting, normalising and tokenising treat specially.
const sampleText = `---
Title: 約款 Terms
---
前文 preamble

# 第三条（保険金のお支払い） §3 {/*third*/}
サーバーとサーバ、ﾃｽﾄ・テスト、１２３と百二十三と1万4,883種、①Ⅲ。～〜―‐- ERR-1042 parseHTTPRequest running RUNNING
引っ越し二台 連れて宿泊 ウェブのギヤ RAID 1 userGuide 2 USB3.0 30 ms revocation C++ F# naïve

Setext heading
--------------

<h3 id="html">HTML</h3>

### 設定{#setup}
` + "```sh\n# no heading\n```\n"

// samplePublication contains something of all that a publication is found by.
const samplePublication = `{"pub_id": "特開2023-123456", "app_id": "特願2022-001234", "exam_id": "特許7654321", "title": "顔 face",
"abst": "ａ C++ naïve", "claim": ["1", "2"], "fi": "G06V10/82,101@Z;G06V40/16A", "ft": "5B043AA01", "ipc": "G06V 10/82", "cpc": "G06V10/82",
"app_doc_id": "US2024051333", "filing_date": "2022-01", "publication_date": "20230405", "applicants": "Ａ社", "inventors": ["甲　乙"],
"citations": ["特開2010-1"], "priorities": ["US61/750,123"], "more": 1}`

// sampleCode contains an example of everything by which a unit of a program is found.
const sampleCode = "// Retries is told.\nconst Retries = 3 // thrice\n\nfunc (s *S) tryIt(n int) error {\n" +
	"\tif n > Retries {\n\t\treturn errors.New(\"too often\")\n\t}\n\treturn nil\n}\n"

// sampleSpec is a requirement of a change.
const sampleSpec = "# A in C++, naïve\n## ADDED Requirements\n### Requirement: 再試行\nIt MUST try `tryIt` 3 times.\n#### Scenario: b\n- THEN c\n"
