package plugins

import (
	"github.com/sagasu-search/sagasu/plugins/embedding"
	"github.com/sagasu-search/sagasu/plugins/epub"
	"github.com/sagasu-search/sagasu/plugins/exceptions"
	"github.com/sagasu-search/sagasu/plugins/feedback"
	"github.com/sagasu-search/sagasu/plugins/fulltext"
	"github.com/sagasu-search/sagasu/plugins/html"
	"github.com/sagasu-search/sagasu/plugins/judgehttp"
	"github.com/sagasu-search/sagasu/plugins/laterank"
	"github.com/sagasu-search/sagasu/plugins/loose"
	"github.com/sagasu-search/sagasu/plugins/normalized"
	"github.com/sagasu-search/sagasu/plugins/office"
	"github.com/sagasu-search/sagasu/plugins/reference"
	"github.com/sagasu-search/sagasu/plugins/rerankhttp"
	"github.com/sagasu-search/sagasu/plugins/semantic"
	"github.com/sagasu-search/sagasu/plugins/synonym"
	"github.com/sagasu-search/sagasu/plugins/toc"
	"github.com/sagasu-search/sagasu/plugins/translation"
	"github.com/sagasu-search/sagasu/plugins/trigram"
	"github.com/sagasu-search/sagasu/plugins/weaviate"
	"github.com/sagasu-search/sagasu/sdk"
)

// Bundled returns the entries that are compiled in, in the order in which strategies are asked.
func Bundled() []sdk.Entry {
	return []sdk.Entry{
		normalized.Entry(), loose.Entry(), synonym.Entry(), exceptions.Entry(), toc.Entry(), reference.Entry(),
		translation.Entry(), embedding.Entry(), trigram.Entry(), laterank.Entry(), feedback.Entry(),
		rerankhttp.Entry(), judgehttp.Entry(), fulltext.Entry(), semantic.Entry(),
		weaviate.Entry(),
		html.Entry(), epub.Entry(), office.Entry(),
	}
}
