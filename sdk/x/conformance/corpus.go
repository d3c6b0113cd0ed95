package conformance

import (
	"fmt"
	"strings"

	"github.com/sagasu-search/sagasu/sdk/snapshot"
	"github.com/sagasu-search/sagasu/sdk/x/sample"
)

// topics are the contents of the corpora in both languages: pairs of heading and text.
var topics = [][2]string{
	{"Refund deadline", "A refund can be claimed within 30 days. After the deadline the shop keeps the deposit."},
	{"Reset the device password", "Hold the reset button for ten seconds. The device forgets its password and " +
		"restarts."},
	{"Backup and restore", "Every night the server copies its disk to the second site. To restore, choose a date."},
	{"Error E-104", "E-104 means that the network cable is loose. Plug it in again and restart the device."},
	{"Exceptions to the warranty", "The warranty does not cover water damage, except where the seal was broken " +
		"in transport."},
	{"Travel expenses", "Trains are paid in second class. A taxi needs the approval of the head of department."},
	{"Update the firmware", "Download the firmware, check its signature and copy it to the device while it is idle."},
	{"Opening hours", "The counter is open from 9:00 to 17:30 on weekdays. On the last Friday it closes at noon."},
	{"Appendix", ""}, // a heading without its own text
	{"付録", ""},
	{"返金の期限", "返金は購入から30日以内に申請できます。期限を過ぎた場合、手付金は返還されません。"},
	{"初期化の手順", "リセットボタンを10秒間押し続けると、機器はパスワードを消去して再起動します。"},
	{"バックアップと復元", "サーバーは毎晩、ディスクの内容を第2拠点に複製します。復元するときは日付を選びます。"},
	{"エラー E-104", "E-104 はネットワークケーブルの緩みを示します。差し直してから機器を再起動してください。"},
	{"保証の例外", "水濡れによる故障は保証の対象外です。ただし、輸送中に封印が破れていた場合を除きます。"},
	{"出張旅費", "電車は普通席の運賃を支給します。タクシーの利用には部門長の承認が必要です。"},
	{"ファームウェアの更新", "ファームウェアをダウンロードし、署名を確認してから、待機中の機器に転送します。"},
	{"受付時間", "窓口は平日の9時から17時30分まで開いています。月末の金曜日は正午に閉まります。"},
}

// corpus publishes a snapshot of a kind in dir that contains every topic times times, each in a separate file.
func corpus(dir string, kind snapshot.Kind, number, times int) (*snapshot.Snapshot, error) {
	name := fmt.Sprintf("%s-%06d", kind, number)
	if kind == snapshot.KindPublication {
		var pubs []sample.Publication
		for i := range times {
			for _, t := range topics {
				pubs = append(pubs, sample.Publication{
					Title: t[0], Abst: t[1], Claim: "1. " + t[1], Desc: fmt.Sprintf("%s\n%s (%d)", t[0], t[1], i),
				})
			}
		}
		return sample.Publications(dir, name, pubs...)
	}
	var sections []sample.Section
	for i := range times {
		for at, t := range topics {
			body := t[1]
			if body != "" {
				body += fmt.Sprintf(" (%d)", i)
			}
			sections = append(sections, sample.Section{
				Path: fmt.Sprintf("site-%05d.md", i), Line: 1 + 3*at, Heading: t[0], Body: body,
			})
		}
	}
	return sample.Sections(dir, name, kind, sections...)
}

// withoutFirstFiles publishes a corpus without its first files.
func withoutFirstFiles(from *snapshot.Snapshot, number int) (*snapshot.Snapshot, error) {
	return sample.Without(from, fmt.Sprintf("%s-%06d", from.Kind(), number), func(_, path string) bool {
		return strings.HasSuffix(path, "00000.md") || strings.HasPrefix(path, "00000")
	})
}
