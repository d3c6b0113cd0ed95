package manuals

import (
	_ "embed"

	"github.com/sagasu-search/sagasu/framework/internal/toolset"
)

//go:embed view.html
var viewHTML string

// view shows what manual_find found, in clients that show views.
func view() *toolset.View {
	return &toolset.View{URI: "ui://sagasu/find", Title: "What a search of the manuals found", HTML: viewHTML}
}
