package main

import (
	"database/sql"
	"errors"
	"net/url"
	"path/filepath"
	"strings"

	_ "modernc.org/sqlite" // the driver
)

const aboutSQLite = "SQLite FTS5 (modernc.org/sqlite v1.61.1); contentless table of heading path and text, for ja cut into " +
	"bigrams beforehand, since its own trigrams miss words of two characters, for en with porter and unicode61; " +
	"detail=full, without which bm25() does not rank; one transaction; the words of the query joined by OR, order by rank"

type sqliteEngine struct {
	db       *sql.DB
	query    *sql.Stmt
	language string
}

// source opens the database with one connection, so that connections do not wait for each other.
func source(dir string) (*sql.DB, error) {
	path := (&url.URL{Scheme: "file", Path: filepath.ToSlash(filepath.Join(dir, "fts.db"))}).String()
	db, err := sql.Open("sqlite", path+"?_pragma=journal_mode(off)&_pragma=synchronous(off)&_pragma=cache_size(-65536)&_pragma=mmap_size(1073741824)")
	if err == nil {
		db.SetMaxOpenConns(1)
	}
	return db, err
}

func (e *sqliteEngine) build(dir, language string, sections []section) (err error) {
	db, err := source(dir)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	if _, err := db.Exec(`CREATE VIRTUAL TABLE t USING fts5(text, content='', tokenize='` + tokenizer(language) + `')`); err != nil {
		return err
	}
	tx, err := db.Begin()
	if err != nil {
		return err
	}
	defer tx.Rollback() // does nothing after the commit
	insert, err := tx.Prepare(`INSERT INTO t(rowid, text) VALUES (?, ?)`)
	if err != nil {
		return err
	}
	defer insert.Close()
	for _, s := range sections {
		if _, err := insert.Exec(s.ID, prepared(s.Text, language)); err != nil {
			return err
		}
	}
	return tx.Commit()
}

func tokenizer(language string) string {
	if language == "en" {
		return "porter unicode61"
	}
	return "unicode61"
}

// prepared returns a text in the form for the table.
func prepared(text, language string) string {
	if language == "en" {
		return text
	}
	return strings.Join(bigrams(text), " ")
}

func (e *sqliteEngine) open(dir, language string) (err error) {
	if e.db, err = source(dir); err != nil {
		return err
	}
	e.language = language
	e.query, err = e.db.Prepare(`SELECT rowid FROM t WHERE t MATCH ? ORDER BY rank LIMIT ?`)
	return err
}

// match joins the distinct words of a query by OR, each in quotes.
func match(text, language string) string {
	words := bigrams(text)
	if language == "en" {
		words = strings.FieldsFunc(text, func(r rune) bool { return !letter(r) })
	}
	seen, quoted := map[string]bool{}, []string{}
	for _, w := range words {
		if !seen[w] {
			seen[w] = true
			quoted = append(quoted, `"`+w+`"`)
		}
	}
	return strings.Join(quoted, " OR ")
}

func (e *sqliteEngine) search(text string, k int) (ids []int, err error) {
	if e.query == nil {
		return nil, errors.New("no index is open")
	}
	words := match(text, e.language)
	if words == "" {
		return nil, nil
	}
	rows, err := e.query.Query(words, k)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var id int
		if err := rows.Scan(&id); err != nil {
			return nil, err
		}
		ids = append(ids, id)
	}
	return ids, rows.Err()
}

func (e *sqliteEngine) close() error {
	if e.db == nil {
		return nil
	}
	err := errors.Join(e.query.Close(), e.db.Close())
	e.db, e.query = nil, nil
	return err
}
