package publication

import "testing"

func TestDates(t *testing.T) {
	for in, want := range map[string]Date{
		"2023": {2023, 0, 0}, "2023-04": {2023, 4, 0}, "2023-04-01": {2023, 4, 1}, "20230401": {2023, 4, 1},
		"２０２３／４／１": {2023, 4, 1}, " 2024-02-29 ": {2024, 2, 29},
	} {
		got, ok := ParseDate(in)
		if !ok || got != want {
			t.Errorf("ParseDate(%q) = %v, %v", in, got, ok)
		}
		if again, ok := ParseDate(got.String()); !ok || again != want {
			t.Errorf("%q was written %s", in, got)
		}
	}
	for _, in := range []string{"", "23", "2023-13", "2023-00", "2023-02-29", "20230431", "202304", "0000", "2023-04-01T00:00", "yesterday"} {
		if got, ok := ParseDate(in); ok {
			t.Errorf("ParseDate(%q) = %v", in, got)
		}
	}
	for d, want := range map[Date][2]int{
		{}: {0, 0}, {2023, 0, 0}: {20230101, 20231231}, {2024, 2, 0}: {20240201, 20240229}, {2023, 12, 0}: {20231201, 20231231}, {2023, 4, 1}: {20230401, 20230401},
	} {
		if d.First() != want[0] || d.Last() != want[1] {
			t.Errorf("%v: %d to %d", d, d.First(), d.Last())
		}
	}
}
