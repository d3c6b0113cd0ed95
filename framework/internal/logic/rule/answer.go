package rule

import (
	"net/http"
	"strconv"
	"strings"
	"sync"

	"github.com/sagasu-search/sagasu/sdk/x/lazyregexp"
)

// answering is a response that is made with its status.
var answering = lazyregexp.New(`\.(?:JSON|String|HTML|status|Status|sendStatus|SendStatus|code|AbortWithStatus(?:JSON)?|AbortWithError)\(\s*([1-5]\d\d|(?:\w+\.)?Status[A-Z]\w+)\b|\b(?:status|status_code|statusCode)\s*[=:]\s*([45]\d\d)\b`)

// statusNames are the names of Go's constants.
var statusNames = sync.OnceValue(func() map[string]int {
	all := map[string]int{}
	for status := 100; status < 600; status++ {
		if name := http.StatusText(status); name != "" {
			all["Status"+strings.NewReplacer(" ", "", "-", "", "'", "").Replace(name)] = status
		}
	}
	return all
})

// answeredWith reads the status of a response on a line, 0 without one.
func answeredWith(line string) int {
	m := answering().FindStringSubmatch(line)
	if m == nil {
		return 0
	}
	if status, err := strconv.Atoi(m[1] + m[2]); err == nil {
		return status
	}
	return statusNames()[m[1][strings.LastIndex(m[1], ".")+1:]]
}
