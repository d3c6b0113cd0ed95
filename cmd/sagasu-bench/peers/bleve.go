package main

import (
	"errors"
	"path/filepath"
	"strconv"

	"github.com/blevesearch/bleve/v2"
	"github.com/blevesearch/bleve/v2/analysis/lang/cjk"
	"github.com/blevesearch/bleve/v2/analysis/lang/en"
	"github.com/blevesearch/bleve/v2/mapping"
)

const aboutBleve = "Bleve v2.6.1, Scorch, its default scoring (its BM25 ranks worse here and is no faster); one field of heading path and text, analyzer cjk (bigrams) or en, " +
	"nothing stored, no term vectors (positions), no doc values; batches of 1,000; a match query"

// batchSize is the number of sections in a batch: any from 200 to 5,000 made no measurable difference.
const batchSize = 1000

type bleveEngine struct{ index bleve.Index }

// mappingOf omits everything that a ranked list of ids does not need.
func mappingOf(language string) mapping.IndexMapping {
	field := bleve.NewTextFieldMapping()
	field.Analyzer = cjk.AnalyzerName
	if language == "en" {
		field.Analyzer = en.AnalyzerName
	}
	field.Store, field.IncludeTermVectors, field.IncludeInAll, field.DocValues = false, false, false, false
	document := bleve.NewDocumentStaticMapping()
	document.AddFieldMappingsAt("text", field)
	m := bleve.NewIndexMapping()
	m.DefaultMapping = document
	m.StoreDynamic, m.IndexDynamic, m.DocValuesDynamic = false, false, false
	return m
}

func (e *bleveEngine) build(dir, language string, sections []section) error {
	index, err := bleve.New(filepath.Join(dir, "bleve"), mappingOf(language))
	if err != nil {
		return err
	}
	for len(sections) > 0 && err == nil {
		n := min(batchSize, len(sections))
		batch := index.NewBatch()
		for _, s := range sections[:n] {
			if err = batch.Index(strconv.Itoa(s.ID), map[string]any{"text": s.Text}); err != nil {
				break
			}
		}
		if err == nil {
			err = index.Batch(batch)
		}
		sections = sections[n:]
	}
	return errors.Join(err, index.Close())
}

func (e *bleveEngine) open(dir, _ string) error {
	index, err := bleve.Open(filepath.Join(dir, "bleve"))
	if err == nil {
		e.index = index
	}
	return err
}

func (e *bleveEngine) search(text string, k int) ([]int, error) {
	if e.index == nil {
		return nil, errors.New("no index is open")
	}
	query := bleve.NewMatchQuery(text)
	query.SetField("text")
	found, err := e.index.Search(bleve.NewSearchRequestOptions(query, k, 0, false))
	if err != nil {
		return nil, err
	}
	ids := make([]int, len(found.Hits))
	for i, hit := range found.Hits {
		if ids[i], err = strconv.Atoi(hit.ID); err != nil {
			return nil, err
		}
	}
	return ids, nil
}

func (e *bleveEngine) close() error {
	if e.index == nil {
		return nil
	}
	err := e.index.Close()
	e.index = nil
	return err
}
