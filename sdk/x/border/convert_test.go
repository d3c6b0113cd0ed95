package border

import (
	"errors"
	"strings"
	"testing"

	"github.com/sagasu-search/sagasu/sdk"
)

func TestCheckConverted(t *testing.T) {
	block := func(b sdk.Block) *sdk.Converted { return &sdk.Converted{Blocks: []sdk.Block{{Text: "first"}, b}} }
	for what, tc := range map[string]struct {
		c    *sdk.Converted
		rule string // "" if no rule is broken
	}{
		"nothing":            {&sdk.Converted{}, ""},
		"all of it":          {&sdk.Converted{Title: "約款", Blocks: []sdk.Block{{Level: 6, Heading: "第1条", Text: "# x\n", Place: sdk.Place{Sheet: "Q3"}}}, Problems: []sdk.Problem{{Place: sdk.Place{Page: 3}, Reason: "no text"}}}, ""},
		"a level":            {block(sdk.Block{Level: 7, Heading: "x"}), RuleConverted},
		"a negative level":   {block(sdk.Block{Level: -1}), RuleConverted},
		"no heading":         {block(sdk.Block{Level: 1, Heading: " "}), RuleConverted},
		"a heading too much": {block(sdk.Block{Heading: "x"}), RuleConverted},
		"two lines":          {block(sdk.Block{Level: 1, Heading: "x\ny"}), RuleConverted},
		"a long heading":     {block(sdk.Block{Level: 1, Heading: strings.Repeat("x", MaxHeading+1)}), RuleConverted},
		"no UTF-8":           {block(sdk.Block{Text: "\xff"}), RuleConverted},
		"NUL":                {block(sdk.Block{Text: "a\x00b"}), RuleConverted},
		"a title":            {&sdk.Converted{Title: "a\tb"}, RuleConverted},
		"an encoding":        {&sdk.Converted{Encoding: "a\tb"}, RuleConverted},
		"no reason":          {&sdk.Converted{Problems: []sdk.Problem{{}}}, RuleConverted},
		"two places":         {block(sdk.Block{Place: sdk.Place{Page: 1, Anchor: "a"}}), RulePlace},
		"no page":            {block(sdk.Block{Place: sdk.Place{Page: -1}}), RulePlace},
		"an anchor":          {&sdk.Converted{Problems: []sdk.Problem{{Reason: "x", Place: sdk.Place{Anchor: "a\nb"}}}}, RulePlace},
		"much text":          {block(sdk.Block{Text: strings.Repeat("x", MaxText)}), RuleText},
		"many blocks":        {&sdk.Converted{Blocks: make([]sdk.Block, MaxBlocks+1)}, RuleText},
	} {
		err := CheckConverted(tc.c)
		b, ok := errors.AsType[*BreachError](err)
		if (err != nil) != (tc.rule != "") || ok && b.Rule != tc.rule {
			t.Errorf("%s: %v", what, err)
		}
	}
}

func TestCheckConverter(t *testing.T) {
	good := func() sdk.ConverterDescription {
		return sdk.ConverterDescription{Name: "pdf", Version: "1",
			Formats: []sdk.Format{{MediaType: "application/pdf", Extensions: []string{".pdf", ".tar.gz"}}}}
	}
	for what, change := range map[string]func(*sdk.ConverterDescription){
		"":                  func(*sdk.ConverterDescription) {},
		"no name":           func(d *sdk.ConverterDescription) { d.Name = "" },
		"no version":        func(d *sdk.ConverterDescription) { d.Version = "" },
		"no formats":        func(d *sdk.ConverterDescription) { d.Formats = nil },
		"no media type":     func(d *sdk.ConverterDescription) { d.Formats[0].MediaType = "pdf" },
		"no extension":      func(d *sdk.ConverterDescription) { d.Formats[0].Extensions = nil },
		"no dot":            func(d *sdk.ConverterDescription) { d.Formats[0].Extensions[0] = "pdf" },
		"upper case":        func(d *sdk.ConverterDescription) { d.Formats[0].Extensions[0] = ".PDF" },
		"the host's own":    func(d *sdk.ConverterDescription) { d.Formats[0].Extensions[0] = ".md" },
		"a path":            func(d *sdk.ConverterDescription) { d.Formats[0].Extensions[0] = "./x" },
		"two lines of text": func(d *sdk.ConverterDescription) { d.Summary = "a\nb" },
	} {
		d := good()
		change(&d)
		if err := CheckConverter(d); (err != nil) != (what != "") {
			t.Errorf("%s: %v", what, err)
		}
	}
}

// The author of a program in another language reads these words alone.
func TestAuthorIsToldWhatIsExpected(t *testing.T) {
	converter := func(ext string) error {
		return CheckConverter(sdk.ConverterDescription{Name: "a", Version: "1",
			Formats: []sdk.Format{{MediaType: "text/x", Extensions: []string{ext}}}})
	}
	strategy := func(name string, stage sdk.Stage, signal string) error {
		return CheckDescription(sdk.Description{Name: name, Stage: stage, Signals: []string{signal}})
	}
	for want, err := range map[string]error{
		"the host reads itself": converter(".csv"),
		"a dot and lower-case":  converter("srt"),
		"digits and '-')":       strategy("Mine", sdk.StageRerank, "x"),
		`"retrieve" "fill"`:     strategy("mine", "rank", "x"),
		"'-' and '_'":           strategy("mine", sdk.StageRerank, "X"),
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v does not say %s", err, want)
		}
	}
}
