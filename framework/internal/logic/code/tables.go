package code

var golang = &language{
	name: "go", extensions: []string{".go"}, style: braces,
	comments:  slashes,
	strings:   append([]form{{open: "`", close: "`", raw: true}}, quotes...),
	types:     map[string]Kind{"type": Type},
	functions: set("func"),
	control:   set("switch"),
	constants: set("const var"),
	free:      true,
}

var typescript = script("typescript", nil, ".ts", ".mts", ".cts")

var tsx = script("typescript", []func(*scanner) bool{jsx}, ".tsx")

var javascript = script("javascript", []func(*scanner) bool{jsx}, ".js", ".jsx", ".mjs", ".cjs")

// script returns the table of JavaScript and the languages built on it.
func script(name string, special []func(*scanner) bool, extensions ...string) *language {
	return &language{
		name: name, extensions: extensions, style: braces,
		comments: append([]commentForm{{open: "#!", column: true, directive: true}}, slashes...),
		strings:  append([]form{{open: "`", close: "`", hole: "${"}}, quotes...),
		special:  append(special, slashRegexp),
		sigils:   "#",
		types: map[string]Kind{"class": Type, "interface": Type, "enum": Type, "namespace": Type, "module": Type,
			"type": Type},
		functions: set("function"),
		modifiers: set("export default declare abstract public private protected static readonly override async get " +
			"set accessor *"),
		control:   set("if for while switch catch with await return typeof"),
		constants: set("const let var"),
		bare:      true, arrows: true, free: true,
		annotates: "@",
	}
}

var python = &language{
	name: "python", extensions: []string{".py", ".pyi"}, style: indents,
	comments:  []commentForm{{open: "#"}},
	strings:   append([]form{{open: `"""`, close: `"""`}, {open: "'''", close: "'''"}}, quotes...),
	prefixes:  set("r b f u t R B F U T rb br Rb bR rB Br RB BR fr rf Fr fR rF Rf FR RF"),
	types:     map[string]Kind{"class": Type},
	functions: set("def"),
	modifiers: set("async"),
	free:      true,
	annotates: "@",
}

var java = &language{
	name: "java", extensions: []string{".java"}, style: braces,
	comments: slashes,
	strings:  append([]form{{open: `"""`, close: `"""`}}, quotes...),
	types:    map[string]Kind{"class": Type, "interface": Type, "enum": Type, "record": Type},
	modifiers: set("public private protected static final abstract native synchronized transient volatile " +
		"strictfp default sealed non-sealed"),
	control:   set("if for while switch catch synchronized try return new throw else do assert case"),
	bare:      true,
	anonymous: true,
	annotates: "@",
}

var csharp = &language{
	name: "csharp", extensions: []string{".cs"}, style: braces,
	comments: append([]commentForm{{open: "#", column: true, directive: true}}, slashes...),
	strings: append([]form{{open: `$@"`, close: `"`, raw: true, doubled: true, hole: "{", escaped: "{{"},
		{open: `@$"`, close: `"`, raw: true, doubled: true, hole: "{", escaped: "{{"},
		{open: `@"`, close: `"`, raw: true, doubled: true},
		{open: `$"`, close: `"`, line: true, hole: "{", escaped: "{{"}}, quotes...),
	special: []func(*scanner) bool{rawQuotes},
	sigils:  "@",
	types: map[string]Kind{"class": Type, "interface": Type, "enum": Type, "struct": Type, "record": Type,
		"namespace": Type},
	control: set("if for foreach while switch catch using lock fixed checked unchecked return new throw else do " +
		"await when is nameof typeof sizeof default stackalloc case in out ref and or not yield"),
	bare: true, locals: true, arrows: true,
	annotates: "[",
}

var ruby = &language{
	name: "ruby", extensions: []string{".rb", ".rake"}, style: ends,
	comments: []commentForm{{open: "=begin", close: "\n=end", column: true}, {open: "#"}},
	strings: []form{{open: `"`, close: `"`, hole: "#{"}, {open: "'", close: "'"},
		{open: "`", close: "`", hole: "#{"}},
	special:   []func(*scanner) bool{rubyEnd, rubySymbol, rubyHeredoc, rubyPercent, rubyCharacter, slashRegexp},
	sigils:    "@$",
	commands:  true,
	wordEnds:  "?!",
	types:     map[string]Kind{"class": Type, "module": Type},
	functions: set("def"),
	modifiers: set("private protected public private_class_method module_function"),
	free:      true,
}

var php = &language{
	name: "php", extensions: []string{".php"}, style: braces,
	comments: []commentForm{{open: "//", until: "?>"}, {open: "#", unless: "#[", until: "?>"},
		{open: "/*", close: "*/"}},
	strings: []form{{open: `"`, close: `"`, hole: "{$"}, {open: "'", close: "'"},
		{open: "`", close: "`", hole: "{$"}},
	special:   []func(*scanner) bool{phpEnd, phpHeredoc},
	wordSigns: `\`,
	markup:    "<?php",
	types:     map[string]Kind{"class": Type, "interface": Type, "trait": Type, "enum": Type, "namespace": Type},
	functions: set("function"),
	modifiers: set("public private protected static final abstract readonly var"),
	control:   set("switch"),
	constants: set("const"),
	anonymous: true,
	annotates: "#[",
}

var rust = &language{
	name: "rust", extensions: []string{".rs"}, style: braces,
	comments: []commentForm{{open: "//"}, {open: "/*", close: "*/", nests: true}},
	strings:  []form{{open: `"`, close: `"`}},
	prefixes: set("b c"),
	special:  []func(*scanner) bool{rustRaw, rustQuote},
	types: map[string]Kind{"struct": Type, "enum": Type, "trait": Type, "union": Type, "impl": Type, "mod": Type,
		"macro_rules": Function},
	functions: set("fn"),
	modifiers: set("pub async unsafe const extern default"),
	constants: set("const static"),
	annotates: "#[",
}

var sql = &language{
	name: "sql", extensions: []string{".sql", ".ddl"}, style: statements,
	comments: []commentForm{{open: "--"}, {open: "/*", close: "*/", nests: true}},
	strings: []form{{open: "'", close: "'", raw: true, doubled: true}, {open: `"`, close: `"`, raw: true, doubled: true},
		{open: "`", close: "`", raw: true, doubled: true}},
	special: []func(*scanner) bool{sqlDollar, sqlDelimiter},
}
