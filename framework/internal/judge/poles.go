package judge

// pole is a pair of predicates of which one is what the other denies.
type pole struct {
	yes, no []cue
}

// poles are predicates that contradict without a negation, first those that
// demand, open or include, then those that waive, shut or leave out.
var poles = [...]pole{
	{cues("有料", "有償", "費用がかか", "料がかか", "料金がかか", "料をいただ", "料がかかり", "徴収する", "徴収し", "を請求し", "自己負担です", "お客様負担", "円です", "円かか", "円をいただ", "円を申し受け", "円いただ", "円となります", " costs ", " cost ", "chargeable", "is charged", "are charged", "for a fee", "subject to a fee", "extra charge", "must pay", "has to pay", "have to pay", "at extra cost", "additional cost"),
		cues("無料", "無償", "費用はかかりません", "料はかかりません", "料がかかりません", "料金はかかりません", "料はいただきません", "送料はかかりません", "を免除", "免除され", "免除し", "不要です。料", "free of charge", "for free", "is free", "are free", "no charge", "no fee", "no extra charge", "at no cost", "at no extra cost", "not charged", "exempt from", "is waived", "are waived", "complimentary")},
	{cues("is open", "are open", "be open", "opens ", "stays open", "remains open", "営業し", "営業いた", "営業です", "開館し", "開館いた", "開いてい", "診療し", "診療を行", "開園", "オープンしてい"),
		cues("is closed", "are closed", "be closed", "closes ", "stays closed", "remains closed", "休業", "休館", "休診", "休園", "休みで", "お休み", "定休", "閉まって", "診療しません", "診療を行っていません", "診療していません", "営業しません", "営業していません", "閉館し", "閉鎖")},
	{cues("is enabled", "are enabled", "enabled by", "is on by", "are on by", "is on ", "turned on by", "switched on by", "is active by", "is activated by", "有効です", "有効にな", "有効とな", "有効。", "が有効", "オンです", "オンにな", "オンとな"),
		cues("is disabled", "are disabled", "disabled by", "is off", "are off", "turned off by", "switched off by", "is inactive", "deactivated by", "無効です", "無効にな", "無効とな", "無効。", "が無効", "オフです", "オフにな", "オフとな")},
	{cues("含まれます", "含まれてい", "含まれる", "に含む", "を含みます", "を含む価格", "込みです", "込みで", "込みの", "税込", "includes ", "include ", "is included", "are included", "included in", "inclusive of", "part of the price", "is part of"),
		cues("含まれません", "含まれない", "含まれておらず", "含まれていません", "含みません", "含まない", "別途", "別料金", "抜きで", "税抜", "税別", "excludes ", "exclude ", "is excluded", "are excluded", "excluding ", "exclusive of", "not included", "not include", "charged separately", "are extra", "is extra", "billed separately", "plus vat", "without vat")},
	{cues("is mandatory", "are mandatory", "is compulsory", "are compulsory", "is obligatory", "is required", "are required"), cues("is voluntary", "are voluntary", "is optional", "are optional", "not required")},
	{cues("自動的に", "自動で", "automatically"), cues("手動で", "手作業で", "manually", "by hand")},
}

// opening is the pair of the poles that also tells when a thing begins and ends.
const openness = 2

// including is the pair of the poles of which any text on a matter has one.
const including = 4

// polar are the words that say the pole and are no part of a subject.
var polar = set(`有料 有償 無料 無償 営業 開館 休業 休館 休診 診療 休園 開園 定休 有効 無効 オン オフ 含 別途 込 税込 税抜 税別 税 抜 徴収 免除 請求 負担 自動 手動
open opens opened closed closes free charge charged chargeable fee pay enabled disabled mandatory compulsory obligatory voluntary optional required include includes included inclusive exclude excludes excluded excluding exclusive extra part price separately off turned switched complimentary exempt automatically manually`)

// polarity tells which side of which pair in poles a clause takes: 1 + the pair's
// index, negative for the second side, 0 for none. A negation turns it round.
func polarity(s *sentence, st *stance) int {
	for i := range poles {
		up, down := s.poleIn(st.text, poles[i].yes), s.poleIn(st.text, poles[i].no)
		switch {
		case up != 0 && down == 0:
			return up * (i + 1)
		case down != 0:
			return -down * (i + 1)
		}
	}
	return 0
}

// poleIn is 1 where a clause holds one of the cues, -1 where it negates it, else 0.
func (s *sentence) poleIn(norm string, list []cue) int {
	start, end := s.lastCue(norm, list)
	switch {
	case start < 0:
		return 0
	case none(norm), endsIn(norm[:start], []string{"not ", "n't ", "never ", "not be ", "no longer "}), startsWith(norm[end:], []string{"ではありません", "ではない", "ではなく", "ません", "りません"}):
		return -1
	}
	return 1
}
