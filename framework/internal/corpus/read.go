package corpus

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/sagasu-search/sagasu/framework/internal/rootfs"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/x/charset"
)

// File is the content of a manual's file.
type File struct {
	// Path is the path as stored, which may have another Unicode form than the requested one.
	Path string
	Text []byte // valid UTF-8 without NUL
	// Encoding is the encoding that the text was decoded from, "" for UTF-8.
	Encoding string
	// SHA256 is the hash of the stored file.
	SHA256 [32]byte
	Origin
	// Problems lists what could not be read of a document.
	Problems []sdk.Problem
}

// Open reads a file of a manual, of any size, as UTF-8, and a document as its converted text. Errors are those of
// [rootfs.Root.Open], out_of_scope for a file that is not part of the manual, and not_available with a "reason" for one
// that is not text.
func Open(ctx context.Context, m Manual, path string) (File, error) {
	if err := ctx.Err(); err != nil {
		return File{}, err
	}
	root, err := openManual(m)
	if err != nil {
		return File{}, err
	}
	defer root.Close()
	root.Offer = func(path string) bool { return m.legible(root, path) }
	stored, _, err := root.Stat(path)
	if err != nil {
		return File{}, err
	}
	if reason := m.Unread(stored); reason != "" && m.entered(stored) {
		return File{}, toolset.Errorf(toolset.NotAvailable, "%s cannot be read: %s", stored, reason).
			With("parameter", "path").With("got", path).With("reason", reason)
	}
	if !m.belongs(stored) {
		return File{}, toolset.Errorf(toolset.OutOfScope,
			"%s is no part of the manual; only text such as .md, .json and .txt outside hidden folders is", stored).
			With("parameter", "path").With("got", path).With("expected", "a file that manual_ls lists")
	}
	if m.Reads(stored) {
		return m.Documents.Read(ctx, Stored{m, stored})
	}
	src, err := root.ReadFile(stored)
	if err != nil {
		return File{}, err
	}
	text, encoding, reason := Decoded(src)
	if reason != "" {
		return File{}, toolset.Errorf(toolset.NotAvailable, "%s cannot be read as text: %s; save it as UTF-8",
			stored, reason).With("parameter", "path").With("got", path).With("reason", reason)
	}
	f := File{Path: stored, Text: text, Encoding: encoding, SHA256: sha256.Sum256(src)}
	f.Origin = originIn(root.Dir(), stored, f.SHA256)
	return f, nil
}

// legible reports whether a path can be read as text of a manual.
func (m Manual) legible(root *rootfs.Root, path string) bool {
	if !m.belongs(path) || m.Reads(path) { // converting a document takes too long
		return m.belongs(path)
	}
	src, err := root.ReadFile(path)
	if err != nil {
		return false
	}
	_, _, reason := Decoded(src)
	return reason == ""
}

const holdsNUL = "it holds NUL bytes"

// NotText returns why src is not UTF-8 text, or "" if it is.
func NotText(src []byte) string {
	switch {
	case bytes.IndexByte(src, 0) >= 0:
		return holdsNUL
	case !utf8.Valid(src):
		return "it is not UTF-8"
	}
	return ""
}

// unknown is why bytes without NUL are not read if no encoding fits.
const unknown = "it is no text, or its encoding is not known"

// improbable is the minimum probability of an encoding that is named although it is not certain.
const improbable = 0.01

// doubtful is the probability below which an encoding counts less than the fact that nearly all of a text is UTF-8.
const doubtful = 0.55

// strays counts the bytes of a text that are not UTF-8. It returns 0 if there are too many, or if one is NUL.
func strays(src []byte) (n int) {
	if bytes.IndexByte(src, 0) >= 0 {
		return 0
	}
	for most := len(src) / 100; len(src) > 0; {
		r, size := utf8.DecodeRune(src)
		if r == utf8.RuneError && size == 1 {
			if n++; n > most {
				return 0
			}
		}
		src = src[size:]
	}
	return n
}

// Decoded returns the text of a file as UTF-8, and the encoding that it was decoded from with its probability, "" for
// UTF-8. Invalid bytes of a UTF-8 text become U+FFFD. If the file is not text, or its encoding is not certain, it
// returns why.
func Decoded(src []byte) (text []byte, encoding, reason string) {
	guess := charset.Detect(src)
	if guess.Name == charset.UTF8 && NotText(src) == "" {
		return src, "", ""
	}
	if n := strays(src); n > 0 && (guess.Probability < doubtful || guess.Name == charset.UTF8) {
		return bytes.ToValidUTF8(src, []byte("\uFFFD")), fmt.Sprintf("UTF-8 but for %d bytes", n), ""
	}
	reason = unknown
	if bytes.IndexByte(src, 0) >= 0 {
		reason = holdsNUL
	}
	if guess.Name == "" || guess.Probability < improbable {
		return nil, "", reason
	}
	if guess.Probability < charset.Surely {
		return nil, "", "its encoding is not sure: it may be " + guess.String()
	}
	text, err := charset.Decode(src, guess.Name)
	if err != nil || bytes.IndexByte(text, 0) >= 0 {
		return nil, "", reason
	}
	return text, guess.String(), ""
}

// belongs reports whether Walk would list a stored path.
func (m Manual) belongs(stored string) bool { return m.entered(stored) && m.IsFile(stored) }

// entered reports whether none of the folders of a path is left out.
func (m Manual) entered(stored string) bool {
	parts := strings.Split(stored, "/")
	return !slices.ContainsFunc(parts[:len(parts)-1], LeftOut)
}

func openManual(m Manual) (*rootfs.Root, error) {
	root, err := rootfs.OpenResolved(m.Dir)
	if err != nil {
		return nil, toolset.Errorf(toolset.NotAvailable,
			"the folder of manual %s cannot be read: %w", m.ID, rootfs.Cause(err)).
			With("parameter", "manual_id").With("got", m.ID)
	}
	return root, nil
}

// WhyUnread returns the reason in an error of [Open] or of [Documents], or "" without an error.
func WhyUnread(err error) string {
	if err == nil {
		return ""
	}
	bad := toolset.AsError(err)
	if reason, ok := bad.Details["reason"].(string); ok {
		return reason
	}
	return bad.Message
}
