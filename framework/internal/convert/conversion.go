package convert

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/sagasu-search/sagasu/framework/internal/corpus"
	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/x/guard"
	"github.com/sagasu-search/sagasu/sdk/x/wire"
)

const (
	// hastyLimit is the limit of a conversion if another did not end within hangMemory before it: the next documents
	// must not each take the full time.
	hastyLimit = 10 * time.Second
	hangMemory = time.Hour
	// mostHangs is the number of consecutive conversions that do not end after which a converter is given up for pause.
	mostHangs = 4
	pause     = 10 * time.Minute
)

// tooLate is why a document was not read.
const tooLate = "sagasu ended before it was converted"

// converter is what a [Set] knows about a converter.
type converter struct {
	Converter
	slots chan struct{} // one for each conversion under way
	moved time.Time     // when the last conversion began
	hung  time.Time     // when the last conversion that did not end was given up
	row   int           // how many of the last conversions did not end
}

// givenUp returns why no conversion may begin, or "".
func (c *converter) givenUp(now time.Time) string {
	if c.row < mostHangs || now.Sub(c.hung) >= pause {
		return ""
	}
	return fmt.Sprintf("%s is given up for now, since %d conversions did not end", c.Name, c.row)
}

// note records whether a conversion ended.
func (c *converter) note(now time.Time, hung bool) {
	if !hung {
		c.row = 0
		return
	}
	c.row++
	c.hung = now
}

// limit returns the limit of a conversion that begins now, 0 for none. The caller holds mu.
func (s *Set) limit(c *converter) time.Duration {
	if c.hung.IsZero() || time.Since(c.hung) > hangMemory {
		return s.Limit
	}
	if s.Limit > 0 {
		return min(s.Limit, hastyLimit)
	}
	return hastyLimit
}

// conversion is under way, or waits for a slot. The set's mu guards it until it is done.
type conversion struct {
	key   key
	by    *converter
	began time.Time // zero while it waits
	left  []string  // the paths of the documents whose readers stopped waiting
	done  chan struct{}
	text  *kept // its result
}

// start returns the conversion of a document, and starts it unless it is under way.
func (s *Set) start(c *converter, k key, d corpus.Stored, sum [32]byte) *conversion {
	s.mu.Lock()
	defer s.mu.Unlock()
	if v := s.under[k]; v != nil {
		return v
	}
	v := &conversion{key: k, by: c, done: make(chan struct{})}
	if s.ctx.Err() != nil {
		v.text = &kept{Failed: tooLate, passing: true}
		close(v.done)
		return v
	}
	s.under[k] = v
	select {
	case c.slots <- struct{}{}:
		v.begin()
	default: // it waits for its turn
	}
	waits := v.began.IsZero()
	s.work.Go(func() error { s.run(v, waits, d, sum); return nil })
	return v
}

// begin records that a conversion has a slot. The caller holds mu.
func (v *conversion) begin() {
	v.began = time.Now()
	v.by.moved = v.began
}

// await waits for a conversion as long as its reader is willing to.
func (s *Set) await(ctx context.Context, v *conversion, d corpus.Stored) (*kept, error) {
	for {
		var late <-chan time.Time
		if s.Patience > 0 {
			late = time.After(time.Until(s.patience(v)))
		}
		select {
		case <-v.done:
			return v.text, nil
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-late:
			if s.leave(v, d) {
				return &kept{Failed: corpus.BeingConverted}, nil
			}
		}
	}
}

// patience returns until when a conversion is waited for. One without a slot is waited for as long as others get slots.
func (s *Set) patience(v *conversion) time.Time {
	s.mu.Lock()
	defer s.mu.Unlock()
	if v.began.IsZero() {
		return v.by.moved.Add(s.Patience)
	}
	return v.began.Add(s.Patience)
}

// leave stops waiting, unless the conversion has ended or may still be waited for.
func (s *Set) leave(v *conversion, d corpus.Stored) bool {
	late := !time.Now().Before(s.patience(v))
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.under[v.key] != v || !late {
		return false
	}
	v.left = append(v.left, d.Name())
	return true
}

// run converts a document when it gets a slot, and stores the result.
func (s *Set) run(v *conversion, waits bool, d corpus.Stored, sum [32]byte) {
	if waits {
		select {
		case v.by.slots <- struct{}{}:
			s.mu.Lock()
			v.begin()
			s.mu.Unlock()
		case <-s.ctx.Done():
		}
	}
	var text *kept
	if err := guard.Call(func() error { text = s.convert(v.by, d, sum); return nil }); err != nil {
		guard.LogStack(s.Logger, err)
		text = &kept{Failed: fmt.Sprintf("its text cannot be made: %v", err), passing: true}
	}
	if !text.passing {
		if err := s.cache.put(v.key, text); err != nil {
			s.Logger.Warn("the text of a document cannot be kept, and is converted anew when it is read again",
				"error", err)
		}
	}
	s.mu.Lock()
	v.text = text
	delete(s.under, v.key)
	s.mu.Unlock()
	if !v.began.IsZero() {
		<-v.by.slots
	}
	close(v.done)
	if s.Converted != nil {
		for _, name := range v.left {
			s.Converted(name)
		}
	}
}

func (s *Set) convert(c *converter, d corpus.Stored, sum [32]byte) *kept {
	s.mu.Lock()
	limit, why := s.limit(c), c.givenUp(time.Now())
	s.mu.Unlock()
	ctx := s.ctx
	if ctx.Err() != nil {
		why = tooLate
	}
	if why != "" {
		return &kept{Failed: why, passing: true}
	}
	f, err := d.Open()
	if err != nil {
		return &kept{Failed: "it cannot be opened again", passing: true}
	}
	defer f.Close()
	if limit > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, limit)
		defer cancel()
	}
	began, changed := time.Now(), "it was changed while it was converted"
	if now, err := hash(f); err != nil || now != sum {
		return &kept{Failed: changed, passing: true}
	}
	_, mediaType := s.of(f.Path)
	doc := sdk.Document{Name: f.Path, MediaType: mediaType, Content: f.File, Size: f.Info.Size()}
	out, err := s.Convert(ctx, c.Name, doc)
	took, hung := time.Since(began), errors.Is(err, context.DeadlineExceeded)
	s.mu.Lock()
	c.note(time.Now(), hung)
	s.mu.Unlock()
	if said, ok := errors.AsType[*wire.UnreadableError](err); ok {
		reason := said.Reason
		if is := disguise(f.Path, f); is != "" {
			reason += "; it seems to be " + is
		}
		return &kept{Failed: fmt.Sprintf("%s (converter %s)", reason, c.Name)}
	}
	if err != nil {
		return s.failed(c, f.Path, f.Info.ModTime(), limit, took, err)
	}
	if now, err := hash(f); err != nil || now != sum {
		return &kept{Failed: changed, passing: true}
	}
	text, places := corpus.Render(out)
	return &kept{text: text, Places: places, Problems: out.Problems, Encoding: out.Encoding}
}

// Blamed is the error of a conversion that may be the document's fault.
type Blamed interface {
	error
	// Blames reports whether the document may be the cause.
	Blames() bool
	// Brief returns the reason as the end of a sentence.
	Brief() string
}

// failed returns the result for a document on which a converter crashed, hung or returned an invalid answer.
func (s *Set) failed(c *converter, path string, modified time.Time, limit, took time.Duration, err error) *kept {
	if s.ctx.Err() != nil {
		return &kept{Failed: tooLate, passing: true}
	}
	s.Logger.Warn("a document could not be converted", "path", path, "converter", c.Name, "error", err)
	b, ok := errors.AsType[Blamed](err)
	if !ok {
		return &kept{Failed: fmt.Sprintf("it is not converted, because %s failed", c.Name), passing: true}
	}
	k := &kept{passing: !b.Blames()}
	k.Failed = fmt.Sprintf("it is not converted, because %s failed: %s", c.Name, b.Brief())
	if errors.Is(err, context.DeadlineExceeded) {
		k.Failed = fmt.Sprintf("its conversion did not end within %.0f s", max(1, took.Seconds()))
		if k.Tried = int64(limit / time.Second); limit > 0 {
			k.Failed += "; sagasu index gives it more time"
		}
	}
	k.After, k.Build = max(time.Now().UnixNano(), modified.UnixNano()), c.Build
	return k
}
