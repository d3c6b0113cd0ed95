package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/sagasu-search/sagasu/sdk"

	"github.com/sagasu-search/sagasu/sdk/x/dict"
)

// dictFolder is the folder of a workspace that holds its dictionaries.
const dictFolder = "dict"

// readDictionaries reads the dictionaries of a workspace.
func readDictionaries(workspace string) (*dict.Folder, error) {
	root, err := os.OpenRoot(workspace)
	if err != nil {
		return nil, fmt.Errorf("open the workspace: %w", err)
	}
	defer root.Close()
	return dict.Load(root.FS(), dictFolder)
}

// dictionaryConfig is what the workspace's dictionaries give a bundled strategy,
// which cannot read the workspace; nil for nothing.
func dictionaryConfig(e sdk.Entry, own *dict.Folder) (json.RawMessage, error) {
	config := map[string]any{}
	if key := e.Dictionaries["synonyms"]; key != "" && len(own.Synonyms) > 0 {
		config[key] = own.Synonyms
	}
	if key := e.Dictionaries["exceptions"]; key != "" && len(own.Exceptions) > 0 {
		config[key] = own.Exceptions
	}
	if len(config) == 0 {
		return nil, nil
	}
	return json.Marshal(config)
}

// firstMistake is an error on one line.
func firstMistake(err error) error {
	mistakes, ok := errors.AsType[dict.Errors](err)
	if !ok {
		return err
	}
	text := plain(mistakes[0].Error())
	if more := len(mistakes) - 1; more > 0 {
		text += fmt.Sprintf(" (and %d more; sagasu dict check tells them all)", more)
	}
	return errors.New(text)
}

// plainLines shows mistakes, which may quote a stranger's file, a line each.
func plainLines(mistakes dict.Errors) string {
	lines := make([]string, len(mistakes))
	for i, m := range mistakes {
		lines[i] = plain(m.Error())
	}
	return strings.Join(lines, "\n")
}
