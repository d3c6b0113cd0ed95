package scaffold

import (
	"cmp"
	"errors"
	"strings"

	"golang.org/x/mod/module"

	"github.com/sagasu-search/sagasu/framework/internal/toolset"
	"github.com/sagasu-search/sagasu/sdk/x/border"
)

// CheckName tells why name cannot be that of a new strategy, as a [*fault.Error]: 1 to 40
// lower-case letters, digits and '-', beginning and ending with a letter or a digit, and no
// name that a system reserves, such as con.
func CheckName(name string) error {
	if !valid(name) {
		err := toolset.Errorf(toolset.InvalidParameter,
			"%q cannot be the name of a strategy: it takes 1 to 40 lower-case letters, digits and '-', with a letter or a digit at both ends", name)
		if near := tidy(name); valid(near) {
			return err.With("did_you_mean", []string{near})
		}
		return err
	}
	if err := module.CheckImportPath("example.com/" + name); err != nil {
		return toolset.Errorf(toolset.InvalidParameter, "%q cannot be the name of a strategy: %v", name, cmp.Or(errors.Unwrap(err), err))
	}
	return nil
}

func valid(name string) bool { return border.IsName(name) && strings.Trim(name, "-") == name }

// tidy makes of a name what is most like it and made of the right characters.
func tidy(name string) string {
	kept := strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9':
			return r
		case r == '-', r == '_', r == ' ', r == '.':
			return '-'
		}
		return -1
	}, strings.ToLower(name))
	return strings.Trim(kept[:min(len(kept), 40)], "-")
}
