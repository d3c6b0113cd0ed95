package exceptions

import "github.com/sagasu-search/sagasu/sdk"

// Entry is the strategy as a program compiles it in.
func Entry() sdk.Entry {
	return sdk.Entry{Name: "exceptions", New: func() sdk.Strategy { return New() }, Dictionaries: map[string]string{"exceptions": "words"}}
}
