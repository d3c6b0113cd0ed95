package main

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"strings"

	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/korean"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/traditionalchinese"
	"golang.org/x/text/unicode/norm"
	"golang.org/x/text/width"

	"github.com/sagasu-search/sagasu/sdk/x/charset/language"
)

// mostText is the maximum number of bytes of a language that are read.
const mostText = 4 << 20

// languages returns the models for package charset.
func languages(folder string) (out []byte, err error) {
	folders, err := os.ReadDir(folder)
	if err != nil {
		return nil, err
	}
	if len(folders) == 0 {
		return nil, errors.New("the folder is empty")
	}
	for _, f := range folders {
		text, err := texts(os.DirFS(folder), f.Name())
		if err != nil {
			return nil, err
		}
		out = language.Train(f.Name(), text, common(f.Name())).Append(out)
	}
	return out, nil
}

// texts returns the texts of a language, in the form that older encodings can represent.
func texts(folder fs.FS, code string) (string, error) {
	files, err := fs.Glob(folder, path.Join(code, "*.txt"))
	if err != nil {
		return "", err
	}
	var b strings.Builder
	for _, file := range files {
		text, err := fs.ReadFile(folder, file)
		if err != nil {
			return "", err
		}
		b.Write(text[:min(len(text), mostText)])
	}
	text := strings.ToValidUTF8(norm.NFC.String(b.String()), "")
	switch code {
	case "vi":
		return tones(text), nil
	case "ja":
		return text + halved(text), nil
	}
	return text, nil
}

// tones writes the tone marks of Vietnamese after their vowels, as in windows-1258.
func tones(text string) string {
	const marks = "\u0300\u0301\u0303\u0309\u0323"
	var b strings.Builder
	for _, r := range text {
		parts := []rune(norm.NFD.String(string(r)))
		for i := 1; i < len(parts); i++ {
			if strings.ContainsRune(marks, parts[i]) {
				b.WriteString(norm.NFC.String(string(append(parts[:i:i], parts[i+1:]...))))
				r = parts[i]
				break
			}
		}
		b.WriteRune(r)
	}
	return b.String()
}

// halved returns some lines of a text with half-width katakana, which older texts use a lot.
func halved(text string) string {
	const every = 50
	var b strings.Builder
	for i, line := range strings.Split(text, "\n") {
		if i%every == 0 {
			b.WriteString(width.Narrow.String(norm.NFD.String(line)) + "\n")
		}
	}
	return b.String()
}

// common returns signs and characters that a standard lists as common, in case the texts contain none of them.
func common(code string) string {
	var b strings.Builder
	b.WriteString("’‘“”„–—…•·«»°©®€§№×±µ²³½")
	add := func(c rune) {
		if c != 0 {
			b.WriteRune(c)
		}
	}
	for lead := 0x81; lead <= 0xfe; lead++ {
		for trail := 0x40; trail <= 0xfe; trail++ {
			pair, cell := []byte{byte(lead), byte(trail)}, trail >= 0xa1
			switch {
			case code == "zh_cn" && cell && lead >= 0xb0 && lead <= 0xd7:
				add(character(simplifiedchinese.GB18030, pair))
			case code == "zh_tw" && lead >= 0xa4 && lead <= 0xc6:
				add(character(traditionalchinese.Big5, pair))
			case code == "ja" && cell && (lead >= 0xb0 && lead <= 0xcf || lead == 0xa4 || lead == 0xa5):
				add(character(japanese.EUCJP, pair))
			case code == "ko" && cell && lead >= 0xb0 && lead <= 0xc8:
				add(character(korean.EUCKR, pair))
			}
		}
	}
	return b.String()
}
