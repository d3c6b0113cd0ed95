package toolset

import (
	"cmp"
	"encoding/json"
	"fmt"
	"reflect"
	"strconv"
	"unicode/utf8"
)

// Reader is implemented by argument types that read themselves, such as a path.
type Reader interface {
	ReadArgument(a *Arguments, name string)
}

// Preparer is implemented by argument structs that prepare an object before it is read, for example by renaming
// members.
type Preparer interface {
	PrepareArguments(a *Arguments)
}

// Decode reads the arguments of a call into a struct and returns the first problem: an unknown argument, in the order
// of the call, before a wrong one, in the order of the fields.
//
// Fields are named by their json tag. null counts as missing. A missing field gets its default, or its zero value, or
// is nil. These tags apply:
//
//	required:"…"   the argument must be given; the text completes "… is required: give …"
//	default:"…"    the value if it is missing
//	min, max       bounds of an integer; no max means no bound
//	enum:"a,b"     one of these words
//	filled:""      a text that is not blank
//	maxLength      the maximum number of characters of a text, maxItems that of items of a list;
//	               minItems:"1" for a list that must not be empty
//	nullable:""    of a required argument: null is a value
//	minLength:"1"  a text that is not empty, unless it is filled anyway
//	alias:"a,b"    other names of the argument
//	verbatim:""    the text goes into a file, so examples must not put our words there
//	doc:"…"        the description in the schema and in help
//
// An integer may be written 10, 10.0 or "10". Nested structs are objects; a pointer to one is nil if it is missing. The
// fields of an embedded struct are read as the struct's own.
func Decode[A any](args *Arguments) (A, error) {
	var a A
	args.read(reflect.ValueOf(&a).Elem())
	return a, args.Err()
}

// Defaults returns the arguments of a call that gives none.
func Defaults[A any]() A {
	var a A
	Separate(Value{Kind: '{'}).read(reflect.ValueOf(&a).Elem())
	return a
}

// Check returns arguments made in Go as Decode would read them, or the first problem.
func Check[A any](a A) (A, error) {
	raw, err := json.Marshal(a)
	if err != nil {
		return a, fmt.Errorf("encode arguments: %w", err)
	}
	args, bad := ParseArguments(raw)
	if bad != nil {
		return a, bad
	}
	return Decode[A](args)
}

// read fills a struct from the object.
func (a *Arguments) read(into reflect.Value) {
	if p, ok := into.Addr().Interface().(Preparer); ok {
		p.PrepareArguments(a)
	}
	a.readFields(into)
}

func (a *Arguments) readFields(into reflect.Value) {
	for i := range into.NumField() {
		f := field(into.Type().Field(i))
		if f.Anonymous && f.name == "" && f.Type.Kind() == reflect.Struct {
			a.readFields(into.Field(i))
		}
		if f.name == "" {
			continue
		}
		for _, alias := range f.list("alias") {
			a.rename(alias, f.name)
		}
		a.readField(f, into.Field(i))
	}
}

func (a *Arguments) tooMany(name string, got, most int, of string) {
	a.Fail(Invalid(a.prefix+name, fmt.Sprintf("%d %s", got, of), fmt.Sprintf("at most %d %s", most, of)))
}

func (a *Arguments) readField(f argument, into reflect.Value) {
	if expected, must := f.Tag.Lookup("required"); must {
		n, given := a.value.find(f.name)
		if null := n.Kind == 'n' && f.has("nullable"); !given && !null {
			a.names = append(a.names, f.name)
			a.missing(f.name, expected)
			return
		}
	}
	if r, ok := into.Addr().Interface().(Reader); ok {
		r.ReadArgument(a, f.name)
		return
	}
	if into.Kind() == reflect.Pointer {
		if _, given := a.value.find(f.name); given {
			into.Set(reflect.New(into.Type().Elem()))
			a.readField(f, into.Elem())
		} else {
			a.absent(f.name, into.Type().Elem())
		}
		return
	}
	a.readValue(f, into)
}

// absent makes the names in a missing object known for suggestions.
func (a *Arguments) absent(name string, t reflect.Type) {
	if t.Kind() != reflect.Struct {
		a.Take(name)
		return
	}
	in, _ := a.Object(name)
	in.names = append(in.names, members(t)...)
}

// members returns the names of a struct's arguments.
func members(t reflect.Type) (names []string) {
	for i := range t.NumField() {
		if f := field(t.Field(i)); f.name != "" {
			names = append(names, f.name)
		}
	}
	return names
}

func (a *Arguments) readValue(f argument, into reflect.Value) {
	switch into.Interface().(type) {
	case json.RawMessage:
		into.SetBytes(a.Raw(f.name))
		return
	case map[string]float64:
		into.Set(reflect.ValueOf(a.Numbers(f.name)))
		return
	case map[string][]string:
		into.Set(reflect.ValueOf(mapOf(a, f.name, "a list of strings", func(_ string, n Value) ([]string, bool) {
			return n.texts()
		})))
		return
	case map[string]int:
		into.Set(reflect.ValueOf(a.Ints(f.name, f.number("min", 0), f.number("max", Unbounded))))
		return
	}
	switch into.Kind() {
	case reflect.String:
		a.readText(f, into)
	case reflect.Bool:
		n, given := a.Take(f.name)
		if given && n.Kind != 't' && n.Kind != 'f' {
			a.Wrong(f.name, n, "a boolean, true or false")
		}
		into.SetBool(n.Kind == 't' || !given && f.Tag.Get("default") == "true")
	case reflect.Int:
		if n := a.Int(f.name, f.number("min", 0), f.number("max", Unbounded)); n != nil {
			into.SetInt(int64(*n))
		} else {
			into.SetInt(int64(f.number("default", 0)))
		}
	case reflect.Float64:
		if x := a.number(f.name); x != nil {
			into.SetFloat(*x)
		} else if f.has("default") {
			x, err := strconv.ParseFloat(f.Tag.Get("default"), 64)
			if err != nil {
				panic("toolset: tag: " + err.Error())
			}
			into.SetFloat(x)
		}
	case reflect.Struct:
		in, _ := a.Object(f.name, members(into.Type())...)
		in.read(into)
	case reflect.Slice:
		a.readList(f, into)
	default:
		panic(fmt.Sprintf("toolset: argument %s has a type that cannot be read: %s", f.name, into.Type()))
	}
}

func (a *Arguments) readText(f argument, into reflect.Value) {
	text := ""
	switch words := f.list("enum"); {
	case len(words) > 0:
		text = a.choice(f.name, words...)
	case f.has("filled"):
		text = a.filledText(f.name)
	default:
		text, _ = a.Text(f.name)
	}
	n, given := a.value.find(f.name)
	if given && text == "" && n.Kind == '"' && f.has("minLength") {
		a.Wrong(f.name, n, cmp.Or(f.Tag.Get("required"), "a string")+", not empty")
	}
	if !given {
		text = f.Tag.Get("default")
	}
	if most := f.number("maxLength", Unbounded); utf8.RuneCountInString(text) > most {
		a.tooMany(f.name, utf8.RuneCountInString(text), most, "characters")
	}
	into.SetString(text)
}

// readList reads a list of strings or of objects.
func (a *Arguments) readList(f argument, into reflect.Value) {
	n, given := a.Find(f.name)
	if most := f.number("maxItems", Unbounded); len(n.Items) > most {
		a.tooMany(f.name, len(n.Items), most, "items")
	}
	if given && n.Kind == '[' && len(n.Items) < f.number("minItems", 0) {
		a.Wrong(f.name, n, "a list that is not empty")
	}
	if into.Type().Elem().Kind() == reflect.String {
		if texts := a.Texts(f.name); texts != nil {
			into.Set(reflect.ValueOf(texts).Convert(into.Type()))
		}
		return
	}
	if a.Take(f.name); !given {
		return
	}
	if n.Kind != '[' {
		a.Wrong(f.name, n, "a list of objects")
		return
	}
	into.Set(reflect.MakeSlice(into.Type(), len(n.Items), len(n.Items)))
	for i, item := range n.Items {
		at := fmt.Sprintf("%s[%d]", f.name, i)
		if item.Kind != '{' {
			a.Wrong(at, item, "an object")
			item = Value{}
		}
		a.enter(at, item).read(into.Index(i))
	}
}
