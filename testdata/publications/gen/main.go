// Command gen writes the sample collection of publications: every pair of a problem and a
// means of each field of technology is one invention, published in Japanese, in English or
// in both as a family, some with a divisional that says nearly the same.
//
// Run it in the folder above: go run ./gen
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"log"
	"os"
)

// pair is a text in Japanese and English.
type pair struct{ ja, en string }

// technology is a field of technology with its building blocks.
type technology struct {
	object     pair // what is invented
	background pair // a sentence on what is usual
	fi, ipc    [2]string
	cpc        [2]string
	theme      string // of F-terms
	parts      [2]pair
	problems   [4]pair // what goes wrong: 「…という問題」, "that …"
	means      [4]means
	scenes     [3]pair // sentences on embodiments
	who        [3]pair
}

// means is a part that solves a problem: its name, what it does and how in particular.
type means struct{ name, does, detail pair }

type record map[string]any

func main() {
	ja, en := create("ja.jsonl"), create("en.jsonl")
	defer ja.Flush()
	defer en.Flush()
	n := 0
	for _, t := range technologies {
		for i := range t.problems {
			for j := range t.means {
				n++
				v := invention{t, n, i, j}
				if n%8 != 7 {
					write(ja, v.japanese(0))
				}
				if n%8 != 3 {
					write(en, v.english(0))
				}
				if n%2 == 0 {
					write(ja, v.japanese(1))
				}
				if n%4 == 2 {
					write(en, v.english(1))
				}
			}
		}
	}
}

func create(name string) *bufio.Writer {
	f, err := os.Create(name)
	if err != nil {
		log.Fatal(err)
	}
	return bufio.NewWriter(f)
}

func write(w *bufio.Writer, r record) {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(r); err != nil {
		log.Fatal(err)
	}
}

// date is a day that differs from invention to invention.
func date(year, n int) string { return fmt.Sprintf("%04d-%02d-%02d", year, n*7%12+1, n*11%28+1) }
