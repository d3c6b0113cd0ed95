package trigram

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A damaged file is refused, or decodes to something that encodes to an equivalent file.
func FuzzDecode(f *testing.F) {
	whole, err := (&sample{sections: 3, grams: []gram{1, 7, 900}, holders: []uint16{1, 3, 2}}).encode()
	if err != nil {
		f.Fatal(err)
	}
	f.Add(whole)
	f.Add(whole[:len(whole)-1])
	f.Fuzz(func(t *testing.T, data []byte) {
		read, err := decode(data)
		if err != nil {
			return
		}
		again, err := read.encode()
		if err != nil {
			t.Fatal(err)
		}
		same, err := decode(again)
		if diff := cmp.Diff(read, same, cmp.AllowUnexported(sample{})); diff != "" || err != nil {
			t.Error(err, diff)
		}
	})
}
