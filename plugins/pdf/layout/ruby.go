package layout

import (
	"cmp"
	"slices"
)

// withoutRuby drops ruby: kana in small type above characters, which show how to read them.
func withoutRuby(frags []fragment) []fragment {
	small := func(f fragment) bool {
		return !slices.ContainsFunc(f.text, func(r rune) bool { return !(r >= 0x3041 && r <= 0x30ff || r == ' ') })
	}
	other := slices.DeleteFunc(slices.Clone(frags), small)
	slices.SortFunc(other, func(a, b fragment) int { return cmp.Compare(a.box.Y0, b.box.Y0) })
	over := map[Box][]Box{} // ruby by the box below it
	ruby := func(k fragment) bool {
		i, _ := slices.BinarySearchFunc(other, k.box.Y0-0.2*k.size, func(f fragment, y float64) int {
			return cmp.Compare(f.box.Y0, y)
		})
		for ; i < len(other) && other[i].box.Y0 < k.box.Y1+k.size; i++ {
			shared := min(k.box.X1, other[i].box.X1) - max(k.box.X0, other[i].box.X0)
			if k.size <= 0.65*other[i].size && shared >= 0.6*k.box.width() {
				over[other[i].box] = append(over[other[i].box], k.box)
				return true
			}
		}
		return false
	}
	frags = slices.DeleteFunc(frags, func(f fragment) bool { return small(f) && ruby(f) })
	for i := range frags {
		above := over[frags[i].box]
		frags[i].ruby = len(above) > 0
		frags[i].close(above)
	}
	return frags
}

// close removes the gaps below ruby, which is wider than the characters below it.
func (f *fragment) close(ruby []Box) {
	for _, g := range slices.Backward(f.gaps) {
		mid := centre(g.x0, g.x1)
		if slices.ContainsFunc(ruby, func(r Box) bool { return r.X0 < mid && mid < r.X1 }) {
			for g.at < len(f.text) && f.text[g.at] == ' ' {
				f.text = slices.Delete(f.text, g.at, g.at+1)
			}
		}
	}
}
