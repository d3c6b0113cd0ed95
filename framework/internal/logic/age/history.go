package age

import "github.com/sagasu-search/sagasu/framework/internal/git"

// History is the git history of a folder. Close it after use.
type History struct{ repository *git.Repository }

// Open finds the history of a folder. Its error names the reason in words
// for people: no git, or no repository that can be read.
func Open(dir string) (*History, error) {
	r, err := git.Open(dir)
	if err != nil {
		return nil, err
	}
	return &History{r}, nil
}

// Close removes what Open made.
func (h *History) Close() error { return h.repository.Close() }
