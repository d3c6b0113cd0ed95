package main

import (
	"os"

	"github.com/sagasu-search/sagasu/framework/command"
	"github.com/sagasu-search/sagasu/plugins/exceptions"
	"github.com/sagasu-search/sagasu/plugins/feedback"
	"github.com/sagasu-search/sagasu/plugins/fulltext"
	"github.com/sagasu-search/sagasu/plugins/judgehttp"
	"github.com/sagasu-search/sagasu/plugins/laterank"
	"github.com/sagasu-search/sagasu/plugins/loose"
	"github.com/sagasu-search/sagasu/plugins/normalized"
	"github.com/sagasu-search/sagasu/plugins/reference"
	"github.com/sagasu-search/sagasu/plugins/rerankhttp"
	"github.com/sagasu-search/sagasu/plugins/semantic"
	"github.com/sagasu-search/sagasu/plugins/synonym"
	"github.com/sagasu-search/sagasu/plugins/toc"
	"github.com/sagasu-search/sagasu/plugins/translation"
	"github.com/sagasu-search/sagasu/plugins/trigram"
)

func main() {
	os.Exit(command.Bench(
		normalized.Entry(), loose.Entry(), synonym.Entry(), exceptions.Entry(), toc.Entry(), reference.Entry(),
		translation.Entry(), trigram.Entry(), laterank.Entry(), feedback.Entry(), rerankhttp.Entry(), judgehttp.Entry(),
		fulltext.Entry(), semantic.Entry(),
	))
}
