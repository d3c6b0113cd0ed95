package gazette

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/sagasu-search/sagasu/framework/internal/patents/publication"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
)

// Options say what is imported.
type Options struct {
	Inputs []string // files
	Output string   // the JSON Lines file that is made
	Format Format
	Force  bool // replace the output, and begin anew
	// Progress, if not nil, is called now and then from the goroutine of Run, with the file that is read and the bytes
	// of all files.
	Progress func(file string, done, total int64)
}

// Report is what an import did, including the earlier runs that it resumed.
type Report struct {
	Output   string                `json:"output"`
	Imported int                   `json:"imported"`
	Marked   int                   `json:"unknown_entities"` // records with a mark for an unknown character
	Other    map[string]int        `json:"other_fields"`     // records in JSON by what they have beside known fields
	Count    int                   `json:"refused"`
	Refused  []publication.Refused `json:"refusals"` // the first; never nil
	Empty    []string              `json:"empty"`    // files without any record; never nil
	Resumed  bool                  `json:"resumed"`
	Elapsed  time.Duration         `json:"-"`
}

// maxListed is how many refused records a report lists; the list beside the output holds all.
const maxListed = 10_000

// mostOther is how many fields a report names that are none.
const mostOther = 50

// saveEvery is how many records are read, at most, between two notes of how far it is.
const saveEvery = 100

// job is one run.
type job struct {
	Options
	folder *os.Root
	base   string // of the output
	state  state
	out    *os.File
	buf    *bufio.Writer
	bad    *os.File // the list of refused records
	ids    map[string]struct{}
	done   int64 // bytes of the files before the current one
	total  int64
}

// Run imports all records. It writes beside the output and renames at the end; when it is
// ended before, by ctx or however, the next run of the same files goes on where it was.
func Run(ctx context.Context, opts Options) (report Report, err error) {
	begin := time.Now()
	j := &job{Options: opts, base: filepath.Base(opts.Output), ids: map[string]struct{}{}}
	fresh, err := j.inputs()
	if err != nil {
		return report, err
	}
	if err := os.MkdirAll(filepath.Dir(opts.Output), 0o755); err != nil {
		return report, fmt.Errorf("make the folder of the output: %w", err)
	}
	j.folder, err = os.OpenRoot(filepath.Dir(opts.Output))
	if err != nil {
		return report, fmt.Errorf("open the folder of the output: %w", err)
	}
	defer j.folder.Close()
	release, err := j.lock()
	if err != nil {
		return report, err
	}
	defer release()
	defer func() { _, _ = j.out.Close(), j.bad.Close() }() // where it fails; else they are closed
	resumed, err := j.begin(fresh)
	if err != nil {
		return report, err
	}
	err = j.files(ctx)
	if err = errors.Join(err, j.end(err == nil)); err != nil {
		return report, err
	}
	first, n, err := ReadRefused(j.folder, j.base, maxListed)
	return Report{
		Output: opts.Output, Imported: j.state.Imported, Marked: j.state.Marked, Other: j.state.Other,
		Count: n, Refused: append([]publication.Refused{}, first...), Empty: append([]string{}, j.state.Empty...),
		Resumed: resumed, Elapsed: time.Since(begin),
	}, err
}

// files imports what is left of all files.
func (j *job) files(ctx context.Context) error {
	for ; j.state.File < len(j.Inputs); j.state.File, j.state.Records = j.state.File+1, 0 {
		if err := j.file(ctx, j.Inputs[j.state.File]); err != nil {
			return fmt.Errorf("import %s: %w", j.Inputs[j.state.File], err)
		}
		if j.state.Records == 0 {
			j.state.Empty = append(j.state.Empty, j.Inputs[j.state.File])
		}
		j.done += j.state.Inputs[j.state.File].Size
	}
	return nil
}

// file imports what is left of one file.
func (j *job) file(ctx context.Context, path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	in := &metered{File: f}
	records, err := openFile(j.Format, in)
	if err != nil {
		return err
	}
	at := func() string {
		if z, ok := records.(*zipped); ok {
			return path + "!" + z.name
		}
		return path
	}
	skip := j.state.Records
	for n := 0; ; n++ {
		if err := ctx.Err(); err != nil {
			return err
		}
		record, line, err := records.next()
		bad, costsOne := errors.AsType[errRecord](err)
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil && !costsOne:
			return err
		case n < skip:
			continue
		case costsOne:
			err = j.refuse(at(), line, "", bad)
		default:
			err = j.record(records, at(), line, record)
		}
		if err != nil {
			return err
		}
		j.state.Records++
		if j.state.Records%saveEvery == 0 {
			if err := j.save(); err != nil {
				return err
			}
			j.report(path, in.at)
		}
	}
}

// record imports one record or refuses it.
func (j *job) record(from source, path string, line int, record []byte) error {
	p, err := from.decode(record)
	if err != nil {
		return j.refuse(path, line, publication.IDOf(record), err)
	}
	key := publication.NumberOf(p.PubID)
	if _, known := j.ids[key]; known {
		return j.refuse(path, line, p.PubID, errors.New("the pub_id was imported already"))
	}
	j.ids[key] = struct{}{}
	if p.Metadata[UnknownEntities] != nil {
		j.state.Marked++
	}
	for name := range p.Metadata {
		if name != UnknownEntities && (j.state.Other[name] > 0 || len(j.state.Other) < mostOther) {
			j.state.Other[name]++
		}
	}
	data, err := p.Encode()
	if err != nil {
		return err
	}
	n, err := j.buf.Write(append(data, '\n'))
	j.state.Bytes += int64(n)
	j.state.Imported++
	return err
}

// refuse adds to the list of what is refused.
func (j *job) refuse(path string, line int, id string, why error) error {
	data, _ := toolset.Marshal(publication.Refused{Source: path, Line: line, ID: id, Reason: why.Error()}) // texts
	n, err := j.bad.Write(append(data, '\n'))
	j.state.RefusedBytes += int64(n)
	j.state.Refused++
	return err
}

func (j *job) report(path string, at int64) {
	if j.Progress != nil {
		j.Progress(path, j.done+at, j.total)
	}
}
