package page

import (
	"encoding/json"
	"fmt"
	"html/template"
	"net/http"
	"slices"
	"strings"

	"golang.org/x/text/language"
)

// languages are the languages of words.json. The first one is the default.
var languages = []struct{ Tag, Name string }{{"en", "English"}, {"ja", "日本語"}}

// words are the texts of the page: by key, then by language.
type words map[string]map[string]string

// locale is a language with its texts and templates.
type locale struct {
	Tag, Name string
	words     words
	templates *template.Template
}

// readLocales reads the texts and the templates of every language.
func readLocales() ([]*locale, error) {
	raw, err := assets.ReadFile("assets/words.json")
	if err != nil {
		return nil, err
	}
	var all words
	if err := json.Unmarshal(raw, &all); err != nil {
		return nil, fmt.Errorf("words.json: %w", err)
	}
	var out []*locale
	for _, t := range languages {
		l := &locale{Tag: t.Tag, Name: t.Name, words: all}
		l.templates, err = template.New("").Funcs(l.functions()).ParseFS(assets, "assets/*.html")
		if err != nil {
			return nil, err
		}
		out = append(out, l)
	}
	return out, nil
}

// say returns the text of a key, formatted with values.
func (l *locale) say(key string, values ...any) (string, error) {
	said, ok := l.words[key][l.Tag]
	if !ok {
		return "", fmt.Errorf("words.json has no %q in %s", key, l.Tag)
	}
	return fmt.Sprintf(said, values...), nil
}

// name returns the text of the key of a page.
func (l *locale) name(key string) string { return l.words[key][l.Tag] }

// code returns the text of a code of the program, such as a reason of a status, or the code itself with spaces if it
// has none.
func (l *locale) code(kind, code string) string {
	if said, ok := l.words[kind+"."+code][l.Tag]; ok {
		return said
	}
	return strings.ReplaceAll(code, "_", " ")
}

const cookie = "sagasu-language"

// chosen returns the language of an answer: the one in the address, which is kept in a cookie, the one in the cookie,
// or the one that the browser asks for.
func (p *page) chosen(w http.ResponseWriter, r *http.Request) *locale {
	named := func(tag string) *locale {
		if i := slices.IndexFunc(p.locales, func(l *locale) bool { return l.Tag == tag }); i >= 0 {
			return p.locales[i]
		}
		return nil
	}
	if l := named(r.URL.Query().Get("lang")); l != nil {
		http.SetCookie(w, &http.Cookie{Name: cookie, Value: l.Tag, Path: "/", MaxAge: 365 * 24 * 3600, HttpOnly: true,
			SameSite: http.SameSiteStrictMode})
		return l
	}
	if kept, err := r.Cookie(cookie); err == nil {
		if l := named(kept.Value); l != nil {
			return l
		}
	}
	var tags []language.Tag
	for _, l := range p.locales {
		tags = append(tags, language.MustParse(l.Tag))
	}
	_, i := language.MatchStrings(language.NewMatcher(tags), r.Header.Get("Accept-Language"))
	return p.locales[i]
}
