package figure

import (
	"strings"
	"testing"
)

func TestUnheld(t *testing.T) {
	for _, c := range []struct{ statement, source, want string }{
		{"30日以内に提出する", "受付から30日以内に提出する。", ""},
		{"30日以内に提出する", "受付から14日以内に提出する。", "30日"},
		{"30日以内に提出する", "書類を提出する。", "30日"},
		{"三十日以内に提出する", "提出は30日以内", ""},
		{"24時間以内", "1日以内", ""},
		{"5日以内に振り込む", "5営業日以内に振り込む", "5日"},
		{"within 30 days", "30日以内", ""},
		{"Fees of $15 per visit", "a fee of $20 per visit", "$15"},
		{"期限は30日", "| 期限 | 30 |", ""},
		{"期限は30日", "| 期限 | 300 |", "30日"},
		{"期限は30日", "上限は30円", "30日"},
		{"Scale to eight workers", "scale the workers to eight", ""},
		{"Scale to eight workers", "scale the workers to nine", "eight workers"},
		{"10〜20日で届く", "10日から20日で届く", ""},
		{"20日で届く", "10〜20日で届く", ""},
		{"容量は1,000GB", "容量は1000 GB", ""},
		{"4月1日から有効", "2026年4月1日に改定", ""},
		{"4月1日から有効", "2026年5月1日に改定", "4月1日"},
		{"第12条による", "第11条", "第12条"},
		{"Replace on ERR-1042", "ERR_1042: replace the disk", ""},
		{"Replace on ERR-104", "ERR-1042: replace the disk", "err-104"},
		{"RAID6 を使う", "RAID 6 を使う", ""},
		{"RAID6 を使う", "RAID 5 を使う", "raid6"},
		{"Step 3, see table2", "Do it", ""},
		{"地震は対象外", "地震による損害は支払いの対象にならない。", ""},
		{"地震は支払えません", "地震による損害を支払う。", "ません"},
		{"Admins cannot delete", "Admins may delete everything.", "cannot"},
		{"届け出なければならない", "届け出が要る", ""},
		{"書類が揃っていないか", "書類を揃える", ""},
		{"Returned not later than Friday", "Returned by Friday", ""},
		{"担当者が審査する", "担当者だけで審査する。", ""},
		{"2個を30日で", "3個を14日で", "2個 30日"},
	} {
		if got := strings.Join(Unheld(c.statement, c.source), " "); got != c.want {
			t.Errorf("%q of %q: %q, want %q", c.statement, c.source, got, c.want)
		}
	}
}
