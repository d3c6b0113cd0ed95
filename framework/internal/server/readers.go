package server

import (
	"container/list"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"sync"

	"github.com/sagasu-search/sagasu/framework/internal/toolset"
)

const (
	// readerID is the argument, and the member of a result, that names a reader if there is no session.
	readerID = "reader_id"
	// maxReaders is the maximum number of remembered readers. The least recently active are dropped first.
	maxReaders = 1000
	// maxReaderID is the maximum number of bytes of a handle.
	maxReaderID = 64
)

// readers hold what calls remember of each other for clients without a session, by a handle that the first call returns
// and later calls pass on. Losing the handle, as in a restart, does not fail a call: it then counts as a reader's
// first.
type readers struct {
	mu     sync.Mutex
	byID   map[string]*list.Element
	recent *list.List // of *reader; the latest to call comes first
}

type reader struct {
	id      string
	session toolset.Session
}

func newReaders() *readers { return &readers{byID: map[string]*list.Element{}, recent: list.New()} }

// of returns the reader of a handle. An unknown reader starts anew; "" makes a new handle.
func (r *readers) of(id string) *reader {
	if id == "" {
		id = rand.Text()
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if e := r.byID[id]; e != nil {
		r.recent.MoveToFront(e)
		return e.Value.(*reader)
	}
	made := &reader{id: id}
	r.byID[id] = r.recent.PushFront(made)
	if r.recent.Len() > maxReaders {
		delete(r.byID, r.recent.Remove(r.recent.Back()).(*reader).id)
	}
	return made
}

// take returns the reader that a call names, and the arguments without its handle.
func (r *readers) take(raw json.RawMessage) (*reader, json.RawMessage, *toolset.Error) {
	var args map[string]json.RawMessage
	if json.Unmarshal(raw, &args) != nil || args[readerID] == nil {
		return r.of(""), raw, nil // the tool refuses what is no object
	}
	var id string
	if json.Unmarshal(args[readerID], &id) != nil || len(id) > maxReaderID {
		return nil, nil, toolset.Errorf(toolset.InvalidParameter,
			"%s must be the %[1]s of an earlier result, or be left out", readerID).
			Argument(readerID, string(args[readerID]), "a string")
	}
	delete(args, readerID)
	rest, err := json.Marshal(args)
	if err != nil {
		return nil, nil, toolset.AsError(err)
	}
	return r.of(id), rest, nil
}

// withReader adds the handle to the schema of a tool's arguments.
func withReader(schema json.RawMessage) json.RawMessage {
	var object map[string]any
	if json.Unmarshal(schema, &object) != nil {
		return schema
	}
	properties, _ := object["properties"].(map[string]any)
	if properties == nil {
		properties = map[string]any{}
		object["properties"] = properties
	}
	properties[readerID] = map[string]any{
		"type": []string{"string", "null"}, "description": "that of an earlier result: what was read is remembered",
	}
	out, err := json.Marshal(object)
	if err != nil {
		return schema
	}
	return out
}

// readerResult is a result with the handle of the caller.
type readerResult struct {
	result any
	id     string
}

// MarshalJSON implements [json.Marshaler].
func (r readerResult) MarshalJSON() ([]byte, error) {
	object, err := toolset.Marshal(r.result)
	if err != nil || len(object) < 2 {
		return object, err
	}
	id, err := toolset.Marshal(r.id)
	if err != nil {
		return nil, err
	}
	comma := ","
	if len(object) == 2 { // {}
		comma = ""
	}
	return fmt.Appendf(object[:len(object)-1], `%s"%s":%s}`, comma, readerID, id), nil
}
