package sample

import (
	"fmt"
	"reflect"
	"time"
	"unsafe"

	"github.com/sagasu-search/sagasu/sdk/snapshot"
)

// Views lists the strings and byte slices reachable from values that point into the memory of a snapshot, each with the
// path to it. It does not follow functions and channels. Tests call it on values that outlive a search.
func Views(snap *snapshot.Snapshot, values ...any) []string {
	w := &walk{snap: snap, seen: map[visit]bool{}}
	for _, v := range values {
		if v != nil {
			w.value(reflect.ValueOf(v), reflect.TypeOf(v).String())
		}
	}
	return w.found
}

type walk struct {
	snap  *snapshot.Snapshot
	seen  map[visit]bool
	found []string
}

// visit is a visited value. It has a type because a struct and its first field share an address.
type visit struct {
	at uintptr
	of reflect.Type
}

func (w *walk) text(text, way string) {
	if w.snap.Views(text) {
		w.found = append(w.found, fmt.Sprintf("%s: %.60q", way, text))
	}
}

func (w *walk) value(v reflect.Value, way string) {
	switch v.Kind() {
	case reflect.String:
		w.text(v.String(), way)
	case reflect.Pointer:
		if at := (visit{v.Pointer(), v.Type()}); !v.IsNil() && !w.seen[at] {
			w.seen[at] = true
			w.value(v.Elem(), way)
		}
	case reflect.Interface:
		if !v.IsNil() {
			w.value(v.Elem(), way)
		}
	case reflect.Struct:
		if v.Type() == reflect.TypeFor[time.Time]() { // it points to the process's time zone and has no text
			return
		}
		for i := range v.NumField() {
			w.value(v.Field(i), way+"."+v.Type().Field(i).Name)
		}
	case reflect.Slice, reflect.Array:
		w.list(v, way)
	case reflect.Map:
		for it := v.MapRange(); it.Next(); {
			w.value(it.Key(), way+" key")
			w.value(it.Value(), fmt.Sprintf("%s[%v]", way, it.Key()))
		}
	}
}

func (w *walk) list(v reflect.Value, way string) {
	if v.Kind() == reflect.Slice && v.Type().Elem().Kind() == reflect.Uint8 {
		w.text(unsafe.String(unsafe.SliceData(v.Bytes()), v.Len()), way)
		return
	}
	for i := range v.Len() {
		w.value(v.Index(i), fmt.Sprintf("%s[%d]", way, i))
	}
}
