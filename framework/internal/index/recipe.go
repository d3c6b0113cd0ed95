package index

import (
	"crypto/sha256"
	"fmt"
	"io"

	"github.com/sagasu-search/sagasu/framework/internal/corpus"
	"github.com/sagasu-search/sagasu/framework/internal/logic/repo"
	"github.com/sagasu-search/sagasu/framework/internal/logic/unit"
	"github.com/sagasu-search/sagasu/framework/internal/patents/publication"
	"github.com/sagasu-search/sagasu/sdk/text"
)

// probe holds something of all that cutting, normalising and tokenising treat
// in a way of their own.
const probe = `---
title: 約款 Terms
---
前文 preamble

# 第三条（保険金のお支払い） §3
サーバーとサーバ、ﾃｽﾄ・テスト、１２３と百二十三、①Ⅲ。～〜―‐- ERR-1042 parseHTTPRequest running RUNNING

Setext heading
--------------
` + "```sh\n# no heading\n```\n"

// recipe is a digest of what cutting and tokenising make of a probe. It
// changes with their rules, as far as the probe shows them.
func recipe() string {
	h := sha256.New()
	var z text.Tokenizer
	for _, path := range []string{"a.md", "a.json"} {
		for _, s := range append(corpus.Cut(path, []byte(probe)), corpus.CutVault(path, []byte(probe))...) {
			fmt.Fprintf(h, "%+v\n", s)
			norm := text.Normalize(s.HeadingPath + "\n" + s.Text)
			for tok := range z.Tokens(&norm) {
				fmt.Fprintf(h, "%+v\n", tok)
			}
		}
	}
	probePublication(h)
	probeUnits(h)
	return fmt.Sprintf("%x", h.Sum(nil))
}

// probeRecord holds something of all that a publication is found by.
const probeRecord = `{"pub_id": "特開2023-123456", "app_id": "特願2022-001234", "exam_id": "特許7654321", "title": "顔 face",
"abst": "ａ", "claim": ["1", "2"], "fi": "G06V10/82,101@Z;G06V40/16A", "ft": "5B043AA01", "ipc": "G06V 10/82", "cpc": "G06V10/82",
"filing_date": "2022-01", "publication_date": "20230405", "applicants": "Ａ社", "inventors": ["甲"], "more": 1}`

// probePublication adds what becomes of a publication.
func probePublication(w io.Writer) {
	p, err := publication.Decode([]byte(probeRecord))
	if err != nil {
		fmt.Fprintln(w, err)
		return
	}
	section, fields, keywords, err := corpus.PublicationSection(p, 1)
	fmt.Fprintf(w, "%+v %q %q %v\n", section, fields, keywords, err)
}

// probeProgram holds something of all that a unit of a program is found by.
const probeProgram = "// Retries is told.\nconst Retries = 3 // thrice\n\nfunc (s *S) tryIt(n int) error {\n\tif n > Retries {\n" +
	"\t\treturn errors.New(\"too often\")\n\t}\n\treturn nil\n}\n"

// probeSpec is a requirement of a change.
const probeSpec = "# A\n## ADDED Requirements\n### Requirement: 再試行\nIt MUST try `tryIt` 3 times.\n#### Scenario: b\n- THEN c\n"

// probeUnits adds what becomes of a program and of a specification.
func probeUnits(w io.Writer) {
	fmt.Fprintf(w, "%+v\n", unit.Cut("a/b.go", repo.Code, []byte("package a\n\n"+probeProgram)))
	fmt.Fprintf(w, "%+v\n", unit.Cut("a/b.ts", repo.Code, []byte(probeProgram)))
	fmt.Fprintf(w, "%+v\n", unit.Cut("a/b.md", repo.ChangeSpec, []byte(probeSpec)))
}
