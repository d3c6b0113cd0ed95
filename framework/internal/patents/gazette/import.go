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
)

// Options say what is imported.
type Options struct {
	Inputs []string // files
	Output string   // the JSON Lines file that is made
	Format Format
	Force  bool // replace the output, and begin anew
	// Progress, if not nil, is called now and then from the goroutine of Run.
	Progress func(Progress)
}

// Progress is how far an import is.
type Progress struct {
	File              string // the file that is read
	Done, Total       int64  // bytes of all files
	Imported, Refused int    // records
}

// Report is what an import did, including the earlier runs that it resumed.
type Report struct {
	Output   string                `json:"output"`
	Imported int                   `json:"imported"`
	Refused  []publication.Refused `json:"refusals"` // never nil
	Resumed  bool                  `json:"resumed"`
	Elapsed  time.Duration         `json:"-"`
}

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
	ids    map[string]bool
	done   int64 // bytes of the files before the current one
	total  int64
}

// Run imports all records. It writes beside the output and renames at the end; when it is
// ended before, by ctx or however, the next run of the same files goes on where it was.
func Run(ctx context.Context, opts Options) (report Report, err error) {
	begin := time.Now()
	folder, err := os.OpenRoot(filepath.Dir(opts.Output))
	if err != nil {
		return report, fmt.Errorf("open the folder of the output: %w", err)
	}
	defer folder.Close()
	j := &job{Options: opts, folder: folder, base: filepath.Base(opts.Output), ids: map[string]bool{}}
	resumed, err := j.begin()
	if err != nil {
		return report, err
	}
	err = j.files(ctx)
	err = errors.Join(err, j.end(err == nil))
	return Report{opts.Output, j.state.Imported, append([]publication.Refused{}, j.state.Refused...), resumed,
		time.Since(begin)}, err
}

// files imports what is left of all files.
func (j *job) files(ctx context.Context) error {
	for ; j.state.File < len(j.Inputs); j.state.File, j.state.Records = j.state.File+1, 0 {
		if err := j.file(ctx, j.Inputs[j.state.File]); err != nil {
			return fmt.Errorf("import %s: %w", j.Inputs[j.state.File], err)
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
	format, records, err := open(j.Format, bufio.NewReaderSize(f, 64<<10))
	if err != nil {
		return err
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
			j.refuse(path, line, "", bad)
		default:
			if err := j.record(format, path, line, record); err != nil {
				return err
			}
		}
		j.state.Records++
		if j.state.Records%saveEvery == 0 {
			if err := j.save(); err != nil {
				return err
			}
			j.report(f)
		}
	}
}

// record imports one record or refuses it.
func (j *job) record(format Format, path string, line int, record []byte) error {
	p, err := decode(format, record)
	if err != nil {
		j.refuse(path, line, publication.IDOf(record), err)
		return nil
	}
	key := publication.NumberOf(p.PubID)
	if j.ids[key] {
		j.refuse(path, line, p.PubID, errors.New("the pub_id was imported already"))
		return nil
	}
	j.ids[key] = true
	data, err := p.Encode()
	if err != nil {
		return err
	}
	n, err := j.buf.Write(append(data, '\n'))
	j.state.Bytes += int64(n)
	j.state.Imported++
	return err
}

func (j *job) refuse(path string, line int, id string, why error) {
	j.state.Refused = append(j.state.Refused,
		publication.Refused{Source: path, Line: line, ID: id, Reason: why.Error()})
}

func (j *job) report(f *os.File) {
	if j.Progress == nil {
		return
	}
	at, _ := f.Seek(0, io.SeekCurrent)
	j.Progress(Progress{f.Name(), j.done + at, j.total, j.state.Imported, len(j.state.Refused)})
}
