package index

import (
	"crypto/sha256"
	"fmt"

	"github.com/sagasu-search/sagasu/framework/corpus"
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
	return fmt.Sprintf("%x", h.Sum(nil))
}
