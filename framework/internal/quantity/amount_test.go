package quantity

import (
	"strings"
	"testing"

	"github.com/sagasu-search/sagasu/sdk/text"
)

func TestRead(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"no number", ""},
		{"Keep it for 2 weeks.", "1209600 time"},
		{"Keep it for fourteen days.", "1209600 time"},
		{"料金は1,200円、3割引です。", "1200 yen, 0.3 percent"},
		{"It costs $3.50, not 20 cents.", "3.5 dollar, 0.2 dollar"},
		{"期限:30日", "2592000 time"},
		{"三十日以内", "2592000 time"},
		{"7 時間 45 分", "27900 time"},
		{"1日8時間", "86400 time, 28800 time"},
		{"1年6か月", "47295360 time"},
		{"within 5 business days", "5 workday"},
		{"20 vacation days", "1728000 time"},
		{"10〜20日で届く", "864000-1728000 time"},
		{"3日から5日", "259200-432000 time"},
		{"3 to 5 days", "259200-432000 time"},
		{"3-5 days", "259200-432000 time"},
		{"between 3 and 5 kg", "3-5 mass"},
		{"3 rooms and 5 kg", "3 count:room, 5 mass"},
		{"240kPa at 600rpm", "240000 pressure, 600 turns"},
		{"two hundred people in 3 rows", "200 count:person, 3 count:row"},
		{"2個を3部屋に5枚", "2 count:個, 3 count:部屋, 5 count:枚"},
		{"One reason for one hour, once or twice", "3600 time"},
		{"20文字", "20 text"},
		{"1日につき10円、6時間ごとに", "10 yen, 21600 time"},
		{"上限 30, 5 or more", "30 , 5 "},
		{"午後6時半から2時間", "1110 clock, 7200 time"},
		{"Open 9:30 to 5 p.m.", "570 clock, 1020 clock"},
		{"due on 31 October", "1031 date"},
		{"due on March 3rd", "303 date"},
		{"10月5日まで", "1005 date"},
		{"2027-03-01, 2026/12/1 10:00", "2027 year, 301 date, 2026 year, 1201 date, 600 clock"},
		{"12/31(金)から、1/2の量、8/500", "1231 date"},
		{"| 11/17 | 3 rooms | 9-10", "1117 date, 3 count:room, 9 , 10 "},
		{"1月19日(月)〜22日(木)に3日", "119 date, 122 date, 259200 time"},
		{"4月1日から30日まで、5月1日から3日以内", "401 date, 430 date, 501 date, 259200 time"},
		{"2月末まで、翌月5日", "228 date, 5 monthday"},
		{"from the first of October to 30 Apr. or the second day", "1001 date, 430 date"},
		{"twenty-four hours, thirteen rooms", "86400 time, 13 count:room"},
		{"since 1999", "1999 year"},
		{"2023年の規程 第12条", "2023 year"},
		{"第3章 手順5 step 3, version 2, 30代, 5分の1, the 3rd day", "1 "},
		{"RAID6, ERR-1042, v1.2.3 and 1.2.3", ""},
		{"No. Twenty minutes. No. 20", "1200 time"},
		{"online 5 days", "432000 time"},
		{"授業の3分の2、45分の講義", "2 , 2700 time"},
		{"発表20分、表3、毎月第1土曜", "1200 time"},
		{"令和5年度、平成3年度", ""},
	} {
		var got []string
		for _, a := range Read(text.Fold(c.text)) {
			value := plain(a.Value)
			if a.High != a.Value {
				value += "-" + plain(a.High)
			}
			got = append(got, value+" "+a.Dimension)
		}
		if got := strings.Join(got, ", "); got != c.want {
			t.Errorf("%s: %q, want %q", c.text, got, c.want)
		}
	}
}

func TestHeldBy(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{"14 days", "two weeks", true},
		{"24時間", "1日", true},
		{"1 month", "30 days", true},
		{"30 days", "29 days", false},
		{"1 GB", "1000 MB", true},
		{"20日", "10日から20日", true},
		{"10日から20日", "20日", false},
		{"10日から20日", "10日から20日", true},
		{"5日", "5営業日", false},
		{"5 yen", "5 dollars", false},
	} {
		a, b := Read(text.Fold(c.a)), Read(text.Fold(c.b))
		if len(a) != 1 || len(b) != 1 || a[0].HeldBy(&b[0]) != c.want {
			t.Errorf("%s by %s: %v %v", c.a, c.b, a, b)
		}
	}
}

func TestString(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"90分", "90 minutes"}, {"60 min", "1 hour"}, {"1 ms", "1 ms"}, {"2048 KB", "2 MB"}, {"2.5 %", "2.5 %"},
		{"500円", "500 yen"}, {"3 rows", "3"}, {"1500 bytes", "1500 bytes"},
	} {
		a := Read(text.Fold(c.text))
		if got := a[0].String(); got != c.want {
			t.Errorf("%s: %q, want %q", c.text, got, c.want)
		}
	}
}

func TestTables(t *testing.T) {
	for name, u := range table().named {
		if u.Factor == 0 || u.Dimension == "" {
			t.Errorf("%s: %+v", name, u)
		}
	}
	last := Unit{}
	for _, u := range table().all {
		if u.Dimension == last.Dimension && u.Factor >= last.Factor {
			t.Errorf("%+v does not stand behind %+v", last, u)
		}
		last = u
	}
	l := words()
	for _, values := range []map[string]float64{l.numerals, l.multiples, l.ordinals, l.months} {
		for word, value := range values {
			if value == 0 {
				t.Errorf("%s has no value", word)
			}
		}
		if len(values) == 0 {
			t.Error("a table is empty")
		}
	}
	if len(l.heads)*len(l.beside)*len(l.tails)*len(l.per)*len(l.joints)*len(l.uncounted) == 0 ||
		len(l.monthly)*len(l.spans) == 0 {
		t.Errorf("%+v", l)
	}
}

// FuzzRead checks that amounts are in the text and do not overlap.
func FuzzRead(f *testing.F) {
	for _, s := range []string{"7時間45分", "$3.50 to 5", "3日から5日", "one hundred thousand", ".5 inch", "1:5月3", "9999年"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		s = text.Fold(s)
		end := 0
		for _, a := range Read(s) {
			if a.Start < end || a.End <= a.Start || a.End > len(s) {
				t.Fatalf("%q: %+v behind %d", s, a, end)
			}
			_ = a.String()
			end = a.End
		}
	})
}
