package rule

import (
	"testing"

	"github.com/sagasu-search/sagasu/framework/internal/logic/code"
)

// A comparison with a constant of another file has its number only where the name
// cannot be anything else.
func TestConstantsOfOtherFiles(t *testing.T) {
	limits := map[string]string{
		"app/limits.ts": "export const MAX_GUESTS = 12;\nexport const maxRooms = 4;\n",
		"app/limits.py": "MAX_GUESTS = 15\nmax_rooms = 6\n",
		"app/limits.go": "package app\n\nconst (\n\tmaxGuests = 18\n\tMaxRooms = 8\n)\n",
		"one/twice.py":  "GRACE_DAYS = 3\n", "two/twice.py": "GRACE_DAYS = 5\n",
	}
	tests := []struct {
		file, program string
		want          string
	}{
		{"app/a.ts", "import { MAX_GUESTS } from './limits';\nfunction f(guests) {\n  if (guests > MAX_GUESTS) throw new E();\n}", "MAX_GUESTS = 12"},
		{"app/a.ts", "import * as limits from './limits';\nfunction f(guests) {\n  if (guests > limits.MAX_GUESTS) throw new E();\n}", "limits.MAX_GUESTS = 12"},
		{"app/a.ts", "import {\n  a,\n  maxRooms,\n} from './limits';\nfunction f(rooms) {\n  if (rooms > maxRooms) throw new E();\n}", "maxRooms = 4"},
		{"app/a.js", "const { maxRooms } = require('./limits');\nfunction f(rooms) {\n  if (rooms > maxRooms) throw new E();\n}", ""}, // another language
		{"app/a.ts", "function f(rooms, maxRooms) {\n  if (rooms > maxRooms) throw new E();\n}", ""},                                  // a parameter
		{"app/a.ts", "function f(rooms, config) {\n  if (rooms > config.maxRooms) throw new E();\n}", ""},                             // a setting
		{"app/a.ts", "const MAX_GUESTS = 2;\nfunction f(guests) {\n  if (guests > MAX_GUESTS) throw new E();\n}", "MAX_GUESTS = 2"},
		{"app/a.py", "from limits import (\n    MAX_GUESTS,\n    max_rooms,\n)\ndef f(rooms):\n    if rooms > max_rooms:\n        raise E()\n", "max_rooms = 6"},
		{"app/a.py", "from app import limits\ndef f(guests):\n    if guests >= limits.MAX_GUESTS:\n        raise E()\n", "limits.MAX_GUESTS = 15"},
		{"app/a.py", "from twice import GRACE_DAYS\ndef f(days):\n    if days > GRACE_DAYS:\n        raise E()\n", ""}, // 3 or 5
		{"one/a.py", "from twice import GRACE_DAYS\ndef f(days):\n    if days > GRACE_DAYS:\n        raise E()\n", "GRACE_DAYS = 3 days"},
		{"app/a.go", "package app\n\nfunc f(guests int) error {\n\tif guests > maxGuests {\n\t\treturn errX\n\t}\n\treturn nil\n}\n", "maxGuests = 18"},
		{"web/a.go", "package web\n\nfunc f(guests int) error {\n\tif guests > maxGuests {\n\t\treturn errX\n\t}\n\treturn nil\n}\n", ""}, // another package
		{"web/a.go", "package web\n\nimport (\n\t\"x.example/app\"\n)\n\nfunc f(rooms int) error {\n\tif rooms > app.MaxRooms {\n\t\treturn errX\n\t}\n\treturn nil\n}\n", "app.MaxRooms = 8"},
		{"web/a.go", "package web\n\nfunc f(rooms int, c Config) error {\n\tif rooms > c.MaxRooms {\n\t\treturn errX\n\t}\n\treturn nil\n}\n", ""}, // a setting
	}
	var shared Constants
	for file, program := range limits {
		shared.Add(file, []byte(program), code.Cut(file, []byte(program)))
	}
	for _, tt := range tests {
		got := ""
		for _, s := range Code(t.Context(), tt.file, []byte(tt.program), code.Cut(tt.file, []byte(tt.program)), shared) {
			for _, r := range s.Rules {
				if r.Kind == Amount && r.Op != "" {
					got = r.Value
				}
			}
		}
		if got != tt.want {
			t.Errorf("%s\n%s\n%q, want %q", tt.file, tt.program, got, tt.want)
		}
	}
}
