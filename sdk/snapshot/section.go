package snapshot

// Kind is a kind of corpus. Each kind has an index and snapshots of its own.
type Kind string

const (
	KindManual      Kind = "manual"
	KindVault       Kind = "vault"
	KindPublication Kind = "publication"
	KindLogic       Kind = "logic"
)

// Fields of a manual corpus, in the order of its schema.
const (
	FieldHeading = 0 // the heading path: file title and the headings down to the section's own
	FieldBody    = 1 // the section's own text, up to its first child
	FieldPath    = 2 // names of the file and its folders, without the words of the file's title
)

// Fields of a corpus of publications, in the order of [PublicationSchema].
const (
	FieldTitle  = 0
	FieldAbst   = 1
	FieldClaim  = 2
	FieldDesc   = 3
	FieldRecord = 4 // the rest of the record as JSON; stored only
)

// PublicationSchema returns the schema of publications.
func PublicationSchema() Schema {
	return Schema{Kind: KindPublication, Fields: []string{"title", "abst", "claim", "desc", StoredField + "record"}}
}

// Fields of a repository's code and specifications, in the order of [LogicSchema].
const (
	FieldName    = 0 // the unit's name
	FieldContext = 1 // its path and the types or headings that enclose it
	FieldComment = 2 // its doc comment
	FieldOwn     = 3 // its text without the doc comment and nested units
	FieldFacts   = 4 // constants with their values, those it uses, failures
)

// LogicSchema returns the schema of repositories.
func LogicSchema() Schema {
	return Schema{Kind: KindLogic, Fields: []string{"name", "context", "comment", "own", "facts"}}
}

// SchemaOf returns the schema of a kind.
func SchemaOf(kind Kind) Schema {
	switch kind {
	case KindPublication:
		return PublicationSchema()
	case KindLogic:
		return LogicSchema()
	}
	return ManualSchema(kind)
}

// NodeKind says what kind of source a section was cut from.
type NodeKind uint8

const (
	// NodeHeading is a Markdown heading and the text below it.
	NodeHeading NodeKind = iota + 1
	// NodePreamble is the text before a file's first heading, or a file without one.
	NodePreamble
	// NodeJSON is a whole JSON file, or a record of a JSON Lines file.
	NodeJSON
	// NodeLines is a run of lines of a file without headings, in a vault or repository.
	NodeLines
	// NodeUnit is a declaration of a program: a function, a type, a constant.
	NodeUnit
)

// None marks an absent section id.
const None = ^uint32(0)

// Section is one row of the section table. Lines count from 1 and are inclusive.
type Section struct {
	ID     uint32
	Group  string // manual_id; "" where a corpus has no groups
	Path   string // '/'-separated, below the group
	Title  string // heading text without markup
	Node   NodeKind
	Level  int    // heading level 1–6; 0 for a preamble or a JSON node
	Start  int    // line of the heading
	End    int    // last line, descendants included
	OwnEnd int    // last line of the own text
	Body   int    // line where the body starts: after the heading, or Start if there is no heading line
	Parent uint32 // enclosing section in the same file, or None
}

// File is one row of the file table, with data to detect changes.
type File struct {
	Group, Path string
	Size        int64
	ModTime     int64  // nanoseconds since 1970; a file that was only touched may keep the earlier time
	ChangeTime  int64  // ctime in nanoseconds, 0 if the system has none
	Inode       uint64 // 0 if the system has none
	SHA256      [32]byte
	Skipped     string // why the file has no sections, or not all of it has; "" when all has
}
