package pdfium

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"runtime/debug"

	"github.com/klippa-app/go-pdfium"
	pdfiumerrors "github.com/klippa-app/go-pdfium/errors"
	"github.com/klippa-app/go-pdfium/requests"
	"github.com/klippa-app/go-pdfium/webassembly"
	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/experimental"
)

// Version is the version of the PDFium build.
const Version = "go-pdfium-1.21.4"

// memoryPages is the maximum memory of a document, in pages of 64 KiB: 128 MiB. Growing it needs twice as much for a
// moment.
const memoryPages = 2048

// Engine starts instances of PDFium. It is safe for concurrent use.
type Engine struct {
	pool  pdfium.Pool
	cache wazero.CompilationCache
}

// NewEngine compiles PDFium, or loads an earlier compilation from dir. If dir is "", nothing is kept.
func NewEngine(dir string) (*Engine, error) {
	config := wazero.NewRuntimeConfig().
		WithCoreFeatures(api.CoreFeaturesV2 | experimental.CoreFeaturesExceptionHandling).
		WithMemoryLimitPages(memoryPages)
	e := &Engine{}
	if dir != "" {
		cache, err := wazero.NewCompilationCacheWithDir(filepath.Join(dir, "compiled"))
		if err != nil {
			return nil, fmt.Errorf("keep compiled code: %w", err)
		}
		e.cache = cache
		config = config.WithCompilationCache(cache)
	}
	pool, err := webassembly.Init(webassembly.Config{
		MaxTotal: -1, // the converter limits them
		FSConfig: wazero.NewFSConfig().WithFSMount(fonts(), "/"),
		Stdout:   io.Discard, Stderr: io.Discard,
		RuntimeConfig: config,
	})
	if err != nil {
		return nil, errors.Join(err, e.Close())
	}
	e.pool = pool
	debug.FreeOSMemory() // compiling leaves more garbage than a document needs memory
	return e, nil
}

// Close ends all instances.
func (e *Engine) Close() error {
	var errs []error
	if e.pool != nil {
		errs = append(errs, e.pool.Close())
	}
	if e.cache != nil {
		errs = append(errs, e.cache.Close(context.Background()))
	}
	return errors.Join(errs...)
}

var (
	// ErrPassword means that a document is encrypted with a password for reading.
	ErrPassword = errors.New("it is encrypted with a password")
	// ErrBroken means that the file could not be read as a document.
	ErrBroken = errors.New("it is damaged or no PDF")
)

// Open opens a document.
func (e *Engine) Open(ctx context.Context, content io.ReaderAt, size int64) (*Document, error) {
	if size <= 0 {
		return nil, ErrBroken
	}
	instance, err := e.pool.GetInstanceWithContext(ctx)
	if err != nil {
		return nil, err
	}
	d := &Document{instance: instance}
	opened, err := instance.OpenDocument(&requests.OpenDocument{
		FileReader: io.NewSectionReader(content, 0, size), FileReaderSize: size,
	})
	if err == nil {
		d.doc = opened.Document
		return d, nil
	}
	d.Close()
	switch {
	case errors.Is(err, pdfiumerrors.ErrPassword):
		return nil, ErrPassword
	case errors.Is(err, pdfiumerrors.ErrSecurity):
		return nil, errors.New("it is encrypted in a way that is not known")
	}
	return nil, ErrBroken
}
