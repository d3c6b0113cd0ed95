package publication

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestNumbers(t *testing.T) {
	for _, c := range []struct{ in, key, kind string }{
		{"特願2023-123456", "JP2023123456", ""},
		{"特願２０２３－１２３４", "JP2023001234", ""},
		{"特開2023-123456号公報", "JP2023123456", "A"},
		{"特開2023123456", "JP2023123456", "A"},
		{"特開2023-123456A", "JP2023123456", "A"},
		{"特表2023512345 A", "JP2023512345", "A"},
		{"特公平7-12345B2", "JP1995012345", ""},
		{"特許第6,123,456号", "JP6123456", ""},
		{"特表2023-512345", "JP2023512345", "A"},
		{"JP2023-123456A", "JP2023123456", "A"},
		{"jp2023123456a", "JP2023123456", "A"},
		{"JP20230123456", "JP2023123456", ""},
		{"特開平10-123456", "JP1998123456", "A"},
		{"JPH10123456A", "JP1998123456", "A"},
		{"特開昭60-1234", "JP1985001234", "A"},
		{"特願平10-123456", "JP1998123456", ""},
		{"再表2019/012345", "JPWO2019012345", ""},
		{"再公表WO2019/012345", "JPWO2019012345", ""},
		{"JPWO2019012345A1", "JPWO2019012345", "A1"},
		{"再表99/12345", "JPWO1999012345", ""},
		{"特許第6123456号", "JP6123456", ""},
		{"JP6123456B2", "JP6123456", "B2"},
		{"特公平7-12345", "JP1995012345", ""},
		{"US 2024/0051333 A1", "US20240051333", "A1"},
		{"US20240051333A1", "US20240051333", "A1"},
		{"WO2019/012345", "WO2019012345", ""},
		{"EP 1 234 567 A1", "EP1234567", "A1"},
		{"my doc/7", "MYDOC7", ""},
		{"US2024051333A1", "US20240051333", "A1"}, // DOCDB
		{"US 2024051333 A1", "US20240051333", "A1"},
		{"US20240051333", "US20240051333", ""},
		{"US-2024/0051333-A1", "US20240051333", "A1"},
		{"US8925999B2", "US8925999", "B2"},
		{"US08925999B2", "US8925999", "B2"},
		{"US 8,925,999 B2", "US8925999", "B2"},
		{"US.8925999.B2", "US8925999", "B2"},
		{"US-8925999-B2", "US8925999", "B2"},
		{"US8925999 (B2)", "US8925999", "B2"},
		{"US08925999", "US8925999", ""},
		{"US D0987654 S1", "USD987654", "S1"},
		{"USD987654S", "USD987654", "S"},
		{"USRE049123E1", "USRE49123", "E1"},
		{"US18/123,456", "US18123456", ""},
		{"EP.1234567.A1", "EP1234567", "A1"},
		{"EP01234567A1", "EP1234567", "A1"},
		{"JP.2023123456.A", "JP2023123456", "A"},
		{"JP-2023123456-A", "JP2023123456", "A"},
		{"JP 2023-123456 A", "JP2023123456", "A"},
		{"JP 7123456 B2", "JP7123456", "B2"},
		{"JP.H10123456.A", "JP1998123456", "A"},
		{"WO.2019012345.A1", "WO2019012345", "A1"},
		{"米国特許第８９２５９９９号明細書", "US8925999", ""},
		{"米国特許出願公開第2010/0123456号", "US20100123456", ""},
		{"国際公開第2008/123456号パンフレット", "WO2008123456", ""},
		{"国際公開第９９／１２３４５", "WO1999012345", ""},
		{"欧州特許出願公開第01234567号明細書", "EP1234567", ""},
		{"中国特許出願公開第112345678号明細書", "CN112345678", ""},
		{"韓国公開特許第10-2008-0012345号公報", "KR1020080012345", ""},
		{"実開平5-12345", "実開平512345", ""},
		{"CN 112345678 A", "CN112345678", "A"},
	} {
		n := ParseNumber(c.in)
		if diff := cmp.Diff([]string{c.key, c.kind}, []string{n.Key(), n.Kind}); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.in, diff)
		}
	}
}

// Every way in which the number of a publication may be asked for leads to a keyword that
// the publication has.
func TestLookup(t *testing.T) {
	p := &Publication{PubID: "JP2023-123456A", AppDocID: "JP2022001234", AppID: "特願2022-001234", ExamID: "特許7123456"}
	wo := &Publication{PubID: "WO2019/012345A1"}
	grant := &Publication{PubID: "US08925999B2"}
	kindless := &Publication{PubID: "US8925999"}
	for _, c := range []struct {
		p            *Publication
		idType, id   string
		found, first bool
	}{
		{p, "pub_id", "JP2023-123456A", true, true},
		{p, "pub_id", "JP2023123456", true, true},
		{p, "pub_id", "特開2023-123456", true, true},
		{p, "pub_id", "JP2023-123456B2", false, false},
		{p, "app_id", "特開2023-123456", true, true},
		{p, "app_id", "特願2022-1234", true, true},
		{p, "app_id", "2022-001234", false, false},
		{p, "app_doc_id", "JP2022001234", true, true},
		{p, "app_doc_id", "JP20220001234", true, true},
		{p, "app_doc_id", "JP2023123456", false, false},
		{p, "pub_id", "特願2022-001234", true, true},
		{p, "exam_id", "特許7123456", true, true},
		{p, "exam_id", "JP7123456B2", true, false},
		{wo, "pub_id", "再表2019/012345", true, false},
		{wo, "pub_id", "WO2019012345", true, true},
		{grant, "pub_id", "US8925999B2", true, true},
		{grant, "pub_id", "US.8925999.B2", true, true},
		{grant, "pub_id", "US 8,925,999", true, true},
		{grant, "pub_id", "US8925999B1", false, false},
		{kindless, "pub_id", "US8925999B2", true, false},
		{kindless, "pub_id", "US8925999", true, true},
	} {
		keys, bad := LookupKeys(c.idType, c.id)
		if bad != nil {
			t.Fatal(bad)
		}
		has := func(key string) bool { return slices.Contains(c.p.Keywords(), key) }
		if found := slices.ContainsFunc(keys, has); found != c.found || found && has(keys[0]) != c.first {
			t.Errorf("%s %s: %q, %s has %q", c.idType, c.id, keys, c.p.PubID, c.p.Keywords())
		}
	}
	for _, c := range [][2]string{{"pub_id", ""}, {"pub_id", " - "}} {
		if _, bad := LookupKeys(c[0], c[1]); bad == nil || bad.Code != "INVALID_PARAMETER" {
			t.Errorf("LookupKeys(%q) = %v", c, bad)
		}
	}
}

func FuzzParseNumber(f *testing.F) {
	for _, s := range []string{"特願2023-123456", "JPH10123456A", "再表2019/012345", "US 2024/0051333 A1", "JP6123456B2", "\xff", "特公平7-12345"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		n := ParseNumber(s)
		written := n.Key() + n.Kind
		if again := ParseNumber(written); again.Key() != n.Key() && n.Country != "" {
			t.Errorf("%q is %+v, written %s and read as %+v", s, n, written, again)
		}
	})
}
