package main

import "fmt"

// invention is the i-th problem of a technology solved by its j-th means.
type invention struct {
	technology
	n, i, j int
}

func (v invention) year() int { return 2017 + v.n*5%7 }

// codes are the classification of an invention: the means decides on the finer one.
func (v invention) codes(of [2]string) []string {
	if (v.i+v.j)%3 == 0 {
		return []string{of[v.j%2], of[(v.j+1)%2]}
	}
	return []string{of[v.j%2]}
}

func (v invention) fterms() []string {
	return []string{fmt.Sprintf("%sAA%02d", v.theme, v.i+1), fmt.Sprintf("%sCB%02d", v.theme, v.j+11)}
}

// japanese is the publication, or for later 1 its divisional.
func (v invention) japanese(later int) record {
	m, problem, scene := v.means[v.j], v.problems[v.i], v.scenes[(v.i+v.j)%3]
	first, second := v.parts[0].ja, v.parts[1].ja
	claim := fmt.Sprintf("【請求項1】\n%sと、%sと、%s%sと、を備える%s。\n", first, second, m.does.ja, m.name.ja, v.object.ja)
	if later > 0 {
		claim = fmt.Sprintf("【請求項1】\n%sと、%s%sと、を備え、前記%sは、%s、%s。\n", first, m.does.ja, m.name.ja, m.name.ja, m.detail.ja, v.object.ja)
	}
	claim += fmt.Sprintf("【請求項2】\n前記%sは、%s、請求項1に記載の%s。\n【請求項3】\n前記%sは、前記%sの出力に応じて動作を変更する、請求項1又は2に記載の%s。", m.name.ja, m.detail.ja, v.object.ja, second, m.name.ja, v.object.ja)
	app := fmt.Sprintf("%d-%06d", v.year()+later, 1200+v.n*317%90000+later*7)
	return record{
		"pub_id": fmt.Sprintf("JP%d-%06dA", v.year()+1+later, 2100+v.n*413%95000+later*5), "app_id": "特願" + app,
		"app_doc_id": fmt.Sprintf("JP%s%s", app[:4], app[5:]), "country": "JP",
		"title": fmt.Sprintf("%sを備える%s", m.name.ja, v.object.ja),
		"abst": fmt.Sprintf("【課題】%sという問題を解決する%sを提供する。【解決手段】%sは、%sと、%sと、%s%sとを備える。%sは、%s。",
			problem.ja, v.object.ja, v.object.ja, first, second, m.does.ja, m.name.ja, m.name.ja, m.detail.ja),
		"claim": claim,
		"desc": fmt.Sprintf("【技術分野】\n本発明は、%sに関する。\n【背景技術】\n%s\n【発明が解決しようとする課題】\nしかしながら、従来の技術では、%sという問題がある。\n【発明を実施するための形態】\n本実施形態の%sは、%s、%s及び%sを備える。%sは、%s構成である。具体的には、%s。\n%s\n【発明の効果】\n%sを設けたことにより、%sという問題が抑えられる。",
			v.object.ja, v.background.ja, problem.ja, v.object.ja, first, second, m.name.ja, m.name.ja, m.does.ja, m.detail.ja, scene.ja, m.name.ja, problem.ja),
		"fi": v.codes(v.fi), "ft": v.fterms(), "ipc": v.codes(v.ipc),
		"filing_date": date(v.year()+later, v.n), "publication_date": date(v.year()+1+later, v.n+later*9),
		"applicants": []string{v.who[(v.i+2*v.j)%3].ja}, "inventors": []string{inventors[v.n%len(inventors)].ja},
		"family": fmt.Sprintf("F%04d", v.n),
	}
}

func (v invention) english(later int) record {
	m, problem, scene := v.means[v.j], v.problems[v.i], v.scenes[(v.i+v.j)%3]
	first, second := v.parts[0].en, v.parts[1].en
	claim := fmt.Sprintf("1. A %s comprising: %s; %s; and %s configured to %s.\n", v.object.en, a(first), a(second), a(m.name.en), m.does.en)
	if later > 0 {
		claim = fmt.Sprintf("1. A %s comprising %s and %s, wherein the %s is configured to %s and %s.\n", v.object.en, a(first), a(m.name.en), m.name.en, m.does.en, m.detail.en)
	}
	claim += fmt.Sprintf("2. The %s of claim 1, wherein the %s %s.\n3. The %s of claim 1 or 2, wherein the %s changes its operation in response to an output of the %s.", v.object.en, m.name.en, m.detail.en, v.object.en, second, m.name.en)
	return record{
		"pub_id": fmt.Sprintf("US%d%07dA1", v.year()+2+later, 31000+v.n*571+later*3), "app_id": fmt.Sprintf("17/%06d", 300000+v.n*733+later), "country": "US",
		"title": fmt.Sprintf("%s with %s", capital(v.object.en), m.name.en),
		"abst": fmt.Sprintf("A %s addresses the problem that %s. It includes %s, %s and %s that is configured to %s. The %s %s.",
			v.object.en, problem.en, a(first), a(second), a(m.name.en), m.does.en, m.name.en, m.detail.en),
		"claim": claim,
		"desc": fmt.Sprintf("TECHNICAL FIELD\nThe present disclosure relates to a %s.\nBACKGROUND\n%s It is a drawback of known devices that %s.\nDETAILED DESCRIPTION\nThe %s of the embodiment has %s, %s and %s. The %s serves to %s; in particular it %s.\n%s\nADVANTAGES\nOwing to the %s it is avoided that %s.",
			v.object.en, v.background.en, problem.en, v.object.en, a(first), a(second), a(m.name.en), m.name.en, m.does.en, m.detail.en, scene.en, m.name.en, problem.en),
		"cpc": v.codes(v.cpc), "ipc": v.codes(v.ipc),
		"filing_date": date(v.year()+1+later, v.n), "publication_date": date(v.year()+2+later, v.n+3),
		"applicants": []string{v.who[(v.i+2*v.j)%3].en}, "inventors": []string{inventors[v.n%len(inventors)].en},
		"family": fmt.Sprintf("F%04d", v.n),
	}
}

// a puts the article before a noun.
func a(noun string) string {
	switch noun[0] {
	case 'a', 'e', 'i', 'o':
		return "an " + noun
	}
	return "a " + noun
}

func capital(s string) string { return string(s[0]-'a'+'A') + s[1:] }

var inventors = []pair{
	{"青空 一郎", "Ichiro Aozora"}, {"川辺 澄子", "Sumiko Kawabe"}, {"森野 健", "Ken Morino"}, {"浜田 ゆり", "Yuri Hamada"}, {"岩城 誠", "Makoto Iwaki"},
	{"白樺 直美", "Naomi Shirakaba"}, {"峰 光太郎", "Kotaro Mine"}, {"渚 香", "Kaori Nagisa"}, {"橘 修", "Osamu Tachibana"}, {"霧島 梓", "Azusa Kirishima"}, {"高台 望", "Nozomi Takadai"},
}
