package rankfusion

import (
	"unique"

	"github.com/sagasu-search/sagasu/sdk/x/patentcode"
)

// Codes are the classification codes of one publication, as they are written, and what else runs are counted by.
type Codes struct {
	FI     []string `json:"fi"`
	FINorm []string `json:"fi_norm"` // of FI when empty
	FT     []string `json:"ft"`
	IPC    []string `json:"ipc"`
	CPC    []string `json:"cpc"`

	Applicants []string `json:"-"`
	Year       string   `json:"-"` // of publication
	Country    string   `json:"-"`
}

// kind is a classification. Codes compare within their own kind.
type kind int

const (
	kindFI kind = iota
	kindFT
	kindIPC
	kindCPC
	kindApplicant
	kindYear
	kindCountry
)

// kindNames are the names by which codes are counted.
var kindNames = [...]string{kindFI: "fi", kindFT: "ft", kindIPC: "ipc", kindCPC: "cpc", kindApplicant: "applicant",
	kindYear: "year", kindCountry: "country"}

type code struct {
	kind kind
	text string
}

// symbol stands for a code, which most catalogs hold many times.
type symbol = unique.Handle[code]

func symbolOf(k kind, text string) symbol { return unique.Make(code{k, text}) }

// Catalog holds what Blend needs to know of publications, each a row: their codes
// as numbers and which facet terms they hold. It grows and never forgets. Adding
// and looking change it; blending does not.
type Catalog struct {
	ids  []string
	rows map[string]uint32

	norms map[string][2]symbol // FI code as written → norm and full form

	codes  [][]symbol          // of each row, distinct: fi_norm, and the other kinds as written
	having map[symbol][]uint32 // rows that have a code, ascending; also of FI codes finer than their norm

	terms map[string]*marks // facet terms, folded
}

// NewCatalog returns an empty catalog.
func NewCatalog() *Catalog {
	return &Catalog{rows: map[string]uint32{}, norms: map[string][2]symbol{}, having: map[symbol][]uint32{},
		terms: map[string]*marks{}}
}

// Len returns the number of rows.
func (c *Catalog) Len() int { return len(c.ids) }

// ID returns the publication in a row.
func (c *Catalog) ID(row uint32) string { return c.ids[row] }

// Row finds a publication.
func (c *Catalog) Row(id string) (row uint32, ok bool) {
	row, ok = c.rows[id]
	return row, ok
}

// Add puts a publication in and returns its row. One that is in already keeps its
// row and its codes.
func (c *Catalog) Add(id string, codes Codes) uint32 {
	if row, ok := c.rows[id]; ok {
		return row
	}
	row := uint32(len(c.ids))
	c.ids = append(c.ids, id)
	c.rows[id] = row
	norms, finer := c.fi(codes)
	for k, codes := range [][]string{kindFT: codes.FT, kindIPC: codes.IPC, kindCPC: codes.CPC,
		kindApplicant: codes.Applicants, kindYear: {codes.Year}, kindCountry: {codes.Country}} {
		for _, code := range codes {
			if code != "" {
				norms = append(norms, symbolOf(kind(k), code))
			}
		}
	}
	c.codes = append(c.codes, c.note(row, norms))
	c.note(row, finer)
	return row
}

// note lists row under each of its codes, and returns each once.
func (c *Catalog) note(row uint32, symbols []symbol) []symbol {
	distinct := symbols[:0]
	for _, s := range symbols {
		rows := c.having[s]
		if len(rows) == 0 || rows[len(rows)-1] != row {
			c.having[s] = append(rows, row)
			distinct = append(distinct, s)
		}
	}
	return distinct
}

// fi returns the norms of a publication's FI codes and those that are written more
// finely.
func (c *Catalog) fi(codes Codes) (norms, finer []symbol) {
	for _, code := range codes.FINorm {
		norm, _ := c.normFI(code)
		norms = append(norms, norm)
	}
	for _, code := range codes.FI {
		norm, full := c.normFI(code)
		if len(codes.FINorm) == 0 {
			norms = append(norms, norm)
		}
		if full != norm {
			finer = append(finer, full)
		}
	}
	return norms, finer
}

func (c *Catalog) normFI(code string) (norm, full symbol) {
	known, ok := c.norms[code]
	if !ok {
		norm, full := patentcode.NormFI(code)
		known = [2]symbol{symbolOf(kindFI, norm), symbolOf(kindFI, full)}
		c.norms[code] = known
	}
	return known[0], known[1]
}

// CodeCounts counts the rows that have a code, by kind and code; FI codes by their norm. Applicants, years and
// countries are kinds as well.
func (c *Catalog) CodeCounts(rows []uint32) map[string]map[string]int {
	counts := map[string]map[string]int{}
	for _, kind := range kindNames {
		counts[kind] = map[string]int{}
	}
	for _, row := range rows {
		for _, s := range c.codes[row] {
			code := s.Value()
			counts[kindNames[code.kind]][code.text]++
		}
	}
	return counts
}
