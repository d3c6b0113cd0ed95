package lane

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sagasu-search/sagasu/framework/internal/patents/publication"
	"github.com/sagasu-search/sagasu/framework/internal/patents/rankfusion"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
)

func tuned() rankfusion.Params {
	p := rankfusion.DefaultParams()
	p.Profile.FI = map[string]float64{"H01M10/48": 1}
	p.FacetTerms = map[string][]string{"A": {"充電器", "監視"}}
	return p
}

func TestBlendIsWhatTheCaseSays(t *testing.T) {
	d, s := testEngine(t, t.TempDir(), cells()), cells()
	got := blend(t, d, tuned(), keep(t, d, "fulltext_recall", "JP5", "JP1", "JP9"), keep(t, d, "semantic", "JP4", "JP1"))
	c := Case{Params: tuned(), Docs: map[string]CaseDoc{}, Lanes: []CaseLane{{Lane: "fulltext", Docs: []string{"JP5", "JP1", "JP9"}}, {Lane: "semantic", Docs: []string{"JP4", "JP1"}}}}
	for id, p := range s.pubs {
		c.Docs[id] = CaseDoc{Codes: rankfusion.Codes{FI: p.FI, FT: p.FT, CPC: p.CPC}, Title: p.Title, Abst: p.Abst, Claim: p.Claim}
	}
	want, rows := c.Fuse(), []CaseRanked{}
	for i, r := range got.RankedDocs {
		if r.Rank != i+1 {
			t.Errorf("place %d has rank %d", i+1, r.Rank)
		}
		rows = append(rows, r.CaseRanked)
	}
	if diff := cmp.Diff(want, CaseResult{rows, got.Metrics}); diff != "" {
		t.Error(diff)
	}
	if got.Params.PiWeights["code"] != 0.4 || got.Params.FacetWeights["A"] != 1 || len(got.Params.Runs) != 2 || got.Total != 4 {
		t.Errorf("the parameters in force are not told: %+v", got.Params)
	}
}

func TestBlendRefuses(t *testing.T) {
	d := testEngine(t, t.TempDir(), cells())
	recall, semantic := keep(t, d, "fulltext_recall", "JP1"), keep(t, d, "semantic", "JP2")
	fused := blend(t, d, rankfusion.DefaultParams(), recall, semantic).RunID
	bad := rankfusion.DefaultParams()
	bad.Weights = map[string]float64{"codes": 1}
	for name, tc := range map[string]struct {
		runs      []BlendRun
		params    rankfusion.Params
		code      toolset.Code
		parameter string
	}{
		"no runs":       {nil, rankfusion.DefaultParams(), toolset.InvalidRRFCall, "runs"},
		"unknown run":   {[]BlendRun{{RunID: recall, Weight: 1}, {RunID: "x"}}, rankfusion.DefaultParams(), toolset.RunNotFound, "runs.1.run_id_lane"},
		"a run twice":   {[]BlendRun{{RunID: recall}, {RunID: recall}}, rankfusion.DefaultParams(), toolset.InvalidRRFCall, "runs.1.run_id_lane"},
		"a fusion":      {[]BlendRun{{RunID: fused}}, rankfusion.DefaultParams(), toolset.InvalidRRFCall, "runs.0.run_id_lane"},
		"another lane":  {[]BlendRun{{RunID: recall, Lane: "semantic"}}, rankfusion.DefaultParams(), toolset.InvalidRRFCall, "runs.0.lane"},
		"bad weight":    {[]BlendRun{{RunID: recall, Weight: -1}}, rankfusion.DefaultParams(), toolset.InvalidRRFCall, "runs.0.weight"},
		"not a number":  {[]BlendRun{{RunID: recall, Weight: math.NaN()}}, rankfusion.DefaultParams(), toolset.InvalidRRFCall, "runs.0.weight"},
		"bad parameter": {[]BlendRun{{RunID: recall}}, bad, toolset.InvalidRRFCall, "weights.codes"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := d.Blend(t.Context(), BlendRequest{Runs: tc.runs, Tuning: tuning(tc.params)})
			refused(t, err, tc.code, tc.parameter)
		})
	}
	alias := []BlendRun{{RunID: semantic, Lane: "original_dense", Weight: 1}}
	if _, err := d.Blend(t.Context(), BlendRequest{Runs: alias}); err != nil {
		t.Errorf("original_dense is semantic: %v", err)
	}
}

func TestLints(t *testing.T) {
	d := testEngine(t, t.TempDir(), cells())
	one, two, none := keep(t, d, "fulltext_recall", "JP1", "JP3"), keep(t, d, "semantic", "JP2", "JP77"), keep(t, d, "fulltext_precision")
	nothing := rankfusion.DefaultParams()
	nothing.Profile.FT = map[string]float64{"5H030ZZ99": 1}
	nothing.FacetTerms, nothing.FacetWeights = map[string][]string{"A": {"量子", "監視"}}, map[string]float64{"B": 1}
	nothing.LaneWeights = map[string]float64{"precision": 2, "recall": 1}
	for name, tc := range map[string]struct {
		params rankfusion.Params
		runs   []string
		want   []string
	}{
		"one run":  {tuned(), []string{one}, []string{"only one run", "充電器"}},
		"disjoint": {rankfusion.DefaultParams(), []string{one, two}, []string{"share no publication", "no longer in the collection"}},
		"empty":    {rankfusion.DefaultParams(), []string{one, none}, []string{"is empty", "share no publication"}},
		"matching nothing": {nothing, []string{one, two}, []string{
			"share no publication", "no longer", "target_profile matches no publication", "量子", "lane_weights.precision has no effect", "facet_weights.B has no effect"}},
		"nothing to say": {rankfusion.DefaultParams(), []string{one, keep(t, d, "semantic", "JP1")}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			got := blend(t, d, tc.params, tc.runs...).Warnings
			if len(got) != len(tc.want) {
				t.Fatalf("%q, want %q", got, tc.want)
			}
			for i, part := range tc.want {
				if !strings.Contains(got[i], part) {
					t.Errorf("%q does not say %q", got[i], part)
				}
			}
		})
	}
}

func TestMutateIsAFusionOfItsOwn(t *testing.T) {
	s := cells()
	d := testEngine(t, t.TempDir(), s)
	recall, semantic := keep(t, d, "fulltext_recall", "JP5", "JP1", "JP9"), keep(t, d, "semantic", "JP4", "JP2")
	base := blend(t, d, tuned(), recall, semantic)
	before, _ := d.runs.get(t.Context(), "run_id", base.RunID)
	reads, half := s.reads, 0.5
	delta := Delta{Beta: &half, Weights: map[string]float64{"semantic": 2}, Profile: TargetProfile{FI: map[string]float64{"H02J7/00": 3}}}
	got, err := d.Mutate(t.Context(), MutateRequest{BaseRunID: base.RunID, Delta: delta, Limit: 100})
	if err != nil {
		t.Fatal(err)
	}
	want := tuned()
	want.Beta, want.Weights = 0.5, map[string]float64{"semantic": 2}
	want.Profile.FI = map[string]float64{"H01M10/48": 1, "H02J7/00": 3}
	direct := blend(t, d, want, recall, semantic)
	if diff := cmp.Diff(direct.RankedDocs, got.RankedDocs); diff != "" {
		t.Errorf("mutated and blended differ: %s", diff)
	}
	changed := []Change{{"beta_fuse", 1.2, 0.5}, {"target_profile.fi.H02J7/00", nil, 3.0}, {"weights.semantic", nil, 2.0}}
	if diff := cmp.Diff(changed, got.Changed); diff != "" {
		t.Error(diff)
	}
	if again, err := d.Mutate(t.Context(), MutateRequest{BaseRunID: base.RunID, Delta: delta, Limit: 100}); err != nil || again.RunID != got.RunID {
		t.Errorf("the same mutation gives %v and %s, %v", again, got.RunID, err)
	}
	after, _ := d.runs.get(t.Context(), "run_id", base.RunID)
	if diff := cmp.Diff(before, after); diff != "" {
		t.Errorf("the base changed: %s", diff)
	}
	if s.reads != reads {
		t.Errorf("%d publications were read again", s.reads-reads)
	}
	if got.BaseRunID != base.RunID || got.RunID == base.RunID || got.RunID == direct.RunID {
		t.Errorf("%s of base %s", got.RunID, got.BaseRunID)
	}
}

func TestMutateRefuses(t *testing.T) {
	d := testEngine(t, t.TempDir(), cells())
	lane, minus := keep(t, d, "fulltext", "JP1"), -1.0
	fused := blend(t, d, rankfusion.DefaultParams(), lane).RunID
	_, err := d.Mutate(t.Context(), MutateRequest{BaseRunID: lane})
	refused(t, err, toolset.InvalidRRFCall, "base_run_id")
	_, err = d.Mutate(t.Context(), MutateRequest{BaseRunID: "fusion-0"})
	refused(t, err, toolset.RunNotFound, "base_run_id")
	_, err = d.Mutate(t.Context(), MutateRequest{BaseRunID: fused, Delta: Delta{K: &minus}})
	refused(t, err, toolset.InvalidRRFCall, "mutate_delta.rrf_k")
	_, err = d.Mutate(t.Context(), MutateRequest{BaseRunID: fused, Delta: Delta{FacetTerms: map[string][]string{"A": {}}}})
	refused(t, err, toolset.InvalidRRFCall, "mutate_delta.facet_terms.A")
}

func TestProvenance(t *testing.T) {
	d := testEngine(t, t.TempDir(), cells())
	recall, precision, semantic := keep(t, d, "fulltext_recall", "JP1", "JP2"), keep(t, d, "fulltext_precision", "JP2", "JP3"), keep(t, d, "semantic", "JP4")
	base := blend(t, d, tuned(), recall, precision, semantic)
	child, err := d.Mutate(t.Context(), MutateRequest{BaseRunID: base.RunID})
	if err != nil {
		t.Fatal(err)
	}
	p, err := d.Provenance(t.Context(), RunRequest{RunID: child.RunID})
	if err != nil {
		t.Fatal(err)
	}
	sum := 0.0
	for _, lane := range []string{"recall", "precision", "semantic"} {
		sum += p.LaneContributions[lane]
	}
	if math.Abs(sum-1) > 1e-12 || len(p.LaneContributions) != 3 || len(p.RunContributions) != 3 {
		t.Errorf("contributions %v", p.LaneContributions)
	}
	freqs := CodeFreqs{FI: map[string]int{"H01M10/48": 2, "H02J7/00": 1}, FT: map[string]int{"5H030AS08": 1}, IPC: map[string]int{}, CPC: map[string]int{"H02J7/0048": 1}}
	if diff := cmp.Diff(freqs, p.CodeFreqs); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{base.RunID}, p.Lineage.Ancestors); diff != "" || *p.Lineage.BaseRunID != base.RunID || len(p.Lineage.Lanes) != 3 {
		t.Errorf("lineage %+v", p.Lineage)
	}
	if len(p.Frontier) != 7 || p.Metrics == nil || p.Metrics.LAS == nil {
		t.Errorf("%+v", p)
	}
	of, err := d.Provenance(t.Context(), RunRequest{RunID: recall})
	if err != nil || of.Metrics != nil || of.LaneContributions != nil || of.CodeFreqs.FI["H01M10/48"] != 2 || of.Params.(*Request).Query == "" {
		t.Errorf("of a lane: %+v, %v", of, err)
	}
}

func TestRepresentativesOfTopicAndLineage(t *testing.T) {
	dir := t.TempDir()
	d := testEngine(t, dir, cells())
	a, b, c := keep(t, d, "fulltext_recall", "JP1", "JP2"), keep(t, d, "semantic", "JP2", "JP3"), keep(t, d, "fulltext_precision", "JP3", "JP1")
	base := blend(t, d, rankfusion.DefaultParams(), a, b)
	got, err := d.Register(t.Context(), RegisterRequest{PubIDs: []string{"JP3", "JP99", "JP3"}, Category: "A"})
	if diff := cmp.Diff(&Registered{Count: 1, Category: "A", Set: topicSet("default"), Unknown: []string{"JP99"}}, got); err != nil || diff != "" {
		t.Fatal(err, diff)
	}
	for _, req := range []RegisterRequest{
		{PubIDs: []string{"JP1"}, Category: "B", Whose: Whose{RunID: base.RunID}},
		{PubIDs: []string{"JP2", "JP3"}, Category: "C", Whose: Whose{Topic: "masks"}},
	} {
		if _, err := d.Register(t.Context(), req); err != nil {
			t.Fatal(err)
		}
	}
	d = testEngine(t, dir, cells())
	for name, tc := range map[string]struct {
		runs  []string
		topic string
		want  map[string]string
		used  Used
	}{
		"same lanes":        {[]string{b, a}, "", map[string]string{"JP3": "A", "JP1": "B"}, Used{"default", 1, 1}},
		"other lanes":       {[]string{a, c}, "", map[string]string{"JP3": "A"}, Used{"default", 1, 0}},
		"not among them":    {[]string{a}, "", map[string]string{}, Used{"default", 0, 0}},
		"another topic":     {[]string{a, c}, "masks", map[string]string{"JP2": "C", "JP3": "C"}, Used{"masks", 2, 0}},
		"topic and lineage": {[]string{a, b}, "masks", map[string]string{"JP1": "B", "JP2": "C", "JP3": "C"}, Used{"masks", 2, 1}},
		"nobody's topic":    {[]string{a, c}, "Masks", map[string]string{}, Used{"Masks", 0, 0}},
	} {
		req := BlendRequest{Limit: 9, Topic: tc.topic}
		for _, id := range tc.runs {
			req.Runs = append(req.Runs, BlendRun{RunID: id, Weight: 1})
		}
		out, err := d.Blend(t.Context(), req)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(tc.want, out.Params.Representatives) + cmp.Diff(tc.used, out.Used); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
	m, err := d.Mutate(t.Context(), MutateRequest{BaseRunID: base.RunID, Limit: 9})
	if err != nil || m.RankedDocs[1].PiRep != 1 {
		t.Errorf("%+v, %v", m, err)
	}
	if diff := cmp.Diff([]Change{{"representatives.JP1", nil, "B"}, {"representatives.JP3", nil, "A"}}, m.Changed); diff != "" {
		t.Error(diff)
	}
	if m, err = d.Mutate(t.Context(), MutateRequest{BaseRunID: m.RunID, Topic: "masks", Limit: 9}); err != nil || m.Used != (Used{"masks", 2, 1}) {
		t.Errorf("%+v, %v", m, err)
	}
	if diff := cmp.Diff([]Change{{"representatives.JP2", nil, "C"}, {"representatives.JP3", "A", "C"}, {"topic", "default", "masks"}}, m.Changed); diff != "" {
		t.Error(diff)
	}
	if m, err = d.Mutate(t.Context(), MutateRequest{BaseRunID: m.RunID, Limit: 9}); err != nil || m.Used.Topic != "masks" {
		t.Errorf("the topic of the base is left: %+v, %v", m, err)
	}
	if _, err := d.Register(t.Context(), RegisterRequest{PubIDs: []string{"JP3"}, Category: "C"}); err != nil {
		t.Fatal(err)
	}
	if later := blend(t, d, rankfusion.DefaultParams(), a, c).Params.Representatives; later["JP3"] != "C" {
		t.Errorf("a later category does not win: %v", later)
	}
}

func TestRepresentativesAreListedAndRemoved(t *testing.T) {
	d := testEngine(t, t.TempDir(), cells())
	a, b := keep(t, d, "fulltext_recall", "JP1", "JP2"), keep(t, d, "semantic", "JP2", "JP3")
	for _, req := range []RegisterRequest{
		{PubIDs: []string{"JP2", "JP1"}, Category: "B"}, {PubIDs: []string{"JP3"}, Category: "A"},
		{PubIDs: []string{"JP3"}, Category: "A", Whose: Whose{Topic: "masks"}}, {PubIDs: []string{"JP2"}, Category: "C", Whose: Whose{RunID: a}},
	} {
		if _, err := d.Register(t.Context(), req); err != nil {
			t.Fatal(err)
		}
	}
	list := func(whose Whose) []Representative {
		t.Helper()
		out, err := d.List(t.Context(), ListRequest{Whose: whose})
		if err != nil {
			t.Fatal(err)
		}
		return out.Representatives
	}
	usual, masks, lane := topicSet("default"), topicSet("masks"), lineageSet([]string{a})
	ofDefault := []Representative{{"JP3", "A", usual}, {"JP1", "B", usual}, {"JP2", "B", usual}}
	all := append(ofDefault[:3:3], Representative{"JP3", "A", masks}, Representative{"JP2", "C", lane})
	fused := blend(t, d, rankfusion.DefaultParams(), a, b).RunID
	for _, tc := range []struct {
		whose Whose
		want  []Representative
	}{
		{Whose{}, all}, {Whose{Topic: "default"}, ofDefault}, {Whose{Topic: "masks"}, all[3:4]}, {Whose{RunID: a}, all[4:]},
		{Whose{RunID: fused}, all[4:]}, {Whose{RunID: b}, []Representative{}}, {Whose{Topic: "none"}, []Representative{}},
	} {
		if diff := cmp.Diff(tc.want, list(tc.whose)); diff != "" {
			t.Errorf("%+v: %s", tc.whose, diff)
		}
	}
	removed, err := d.Remove(t.Context(), RemoveRequest{PubIDs: []string{"JP-2", "JP9", "JP2"}})
	if diff := cmp.Diff(&Removed{Count: 1, Set: usual, Unknown: []string{"JP9"}}, removed); err != nil || diff != "" {
		t.Error(err, diff)
	}
	if diff := cmp.Diff(ofDefault[:2], list(Whose{Topic: "default"})); diff != "" {
		t.Error(diff)
	}
	if removed, err = d.Remove(t.Context(), RemoveRequest{All: true, Whose: Whose{RunID: a}}); err != nil || removed.Count != 1 {
		t.Errorf("%+v, %v", removed, err)
	}
	if diff := cmp.Diff(all[3:4], list(Whose{})[2:]); diff != "" {
		t.Error(diff)
	}
	for _, req := range []RemoveRequest{{}, {All: true, PubIDs: []string{"JP1"}}} {
		_, err := d.Remove(t.Context(), req)
		refused(t, err, toolset.InvalidRRFCall, "pub_ids")
	}
	_, err = d.List(t.Context(), ListRequest{Whose: Whose{RunID: a, Topic: "masks"}})
	refused(t, err, toolset.InvalidRRFCall, "topic")
}

func TestRegisterRefuses(t *testing.T) {
	d := testEngine(t, t.TempDir(), cells())
	_, err := d.Register(t.Context(), RegisterRequest{Category: "A"})
	refused(t, err, toolset.InvalidRRFCall, "pub_ids")
	_, err = d.Register(t.Context(), RegisterRequest{PubIDs: []string{"JP1", ""}, Category: "A"})
	refused(t, err, toolset.InvalidRRFCall, "pub_ids")
	_, err = d.Register(t.Context(), RegisterRequest{PubIDs: []string{"JP1"}, Category: "A", Whose: Whose{RunID: "x"}})
	refused(t, err, toolset.RunNotFound, "run_id")
}

func TestAFailingCollectionIsTheBackends(t *testing.T) {
	s := cells()
	d := testEngine(t, t.TempDir(), s)
	run := keep(t, d, "fulltext", "JP1")
	s.fail = errors.New("disk on fire")
	_, err := d.Blend(t.Context(), BlendRequest{Runs: []BlendRun{{RunID: run, Weight: 1}}})
	if f, ok := errors.AsType[*toolset.Error](err); !ok || f.Code != toolset.BackendError || f.Details["backend"] != "collection" || !errors.Is(err, s.fail) {
		t.Errorf("%v", err)
	}
}

func TestAChangedCollectionIsReadAnewAndTold(t *testing.T) {
	s := cells()
	d := testEngine(t, t.TempDir(), s)
	run := keep(t, d, "fulltext", "JP1", "JP3")
	first := blend(t, d, tuned(), run)
	s.print = "v2"
	s.pubs["JP1"] = &publication.Publication{PubID: "JP1"}
	second := blend(t, d, tuned(), run)
	if first.RankedDocs[0].PiCode == 0 || second.RankedDocs[0].PiCode != 0 || first.RunID == second.RunID {
		t.Errorf("%+v, then %+v", first.RankedDocs[0], second.RankedDocs[0])
	}
	if !strings.Contains(strings.Join(second.Warnings, "\n"), "collection has changed") {
		t.Errorf("%q", second.Warnings)
	}
}

// Every lane's share of a score is told, and only the best of a run count where that is asked.
func TestLanesOfADocument(t *testing.T) {
	d := testEngine(t, t.TempDir(), cells())
	recall, semantic := keep(t, d, "fulltext_recall", "JP5", "JP1", "JP9"), keep(t, d, "semantic", "JP4", "JP1", "JP5")
	p := tuned()
	p.Weights = map[string]float64{"semantic": 3}
	got := blend(t, d, p, recall, semantic)
	for _, doc := range got.RankedDocs {
		sum := 0.0
		for _, place := range doc.Lanes {
			sum += place.Share
		}
		if len(doc.Lanes) != int(doc.Runs) || math.Abs(sum-1) > 1e-12 {
			t.Errorf("%s: %+v", doc.PubID, doc.Lanes)
		}
		if doc.PubID == "JP5" {
			a, b := 1.0/61, 3.0/63
			want := []Place{{"recall", recall, 1, a / (a + b)}, {"semantic", semantic, 3, b / (a + b)}}
			if diff := cmp.Diff(want, doc.Lanes); diff != "" {
				t.Error(diff)
			}
		}
	}
	p.Depth, p.Grid = map[string]int{"recall": 1, "semantic": 2, "fulltext": 9, "dense": 2}, []int{2, 3}
	cut := blend(t, d, p, recall, semantic)
	if cut.Total != 3 || len(cut.Frontier) != 2 || cut.Frontier[1].K != 3 || !strings.Contains(strings.Join(cut.Warnings, " "), "top_m_per_lane.dense has no effect") {
		t.Errorf("%+v", cut)
	}
	out, err := d.Mutate(t.Context(), MutateRequest{BaseRunID: cut.RunID, Delta: Delta{Depth: map[string]int{"semantic": 3}, Grid: Grid{5}}, Limit: 9})
	if err != nil || out.Total != 3 || out.Frontier[0].K != 5 {
		t.Fatalf("%+v, %v", out, err)
	}
	if diff := cmp.Diff([]Change{{"k_grid", []any{2.0, 3.0}, []any{5.0}}, {"top_m_per_lane.semantic", 2.0, 3.0}}, out.Changed); diff != "" {
		t.Error(diff)
	}
}

func TestFacetsOfARun(t *testing.T) {
	s := cells()
	s.pubs["JP1"].Applicants, s.pubs["JP2"].Applicants = []string{"Acme", "Bolt"}, []string{"Acme"}
	s.pubs["JP1"].PublicationDate, s.pubs["JP1"].Country = publication.Date{Year: 2021, Month: 5, Day: 1}, "JP"
	d := testEngine(t, t.TempDir(), s)
	p, err := d.Provenance(t.Context(), RunRequest{RunID: keep(t, d, "fulltext", "JP1", "JP2", "JP3")})
	if err != nil {
		t.Fatal(err)
	}
	want := Facets{Applicant: map[string]int{"Acme": 2, "Bolt": 1}, Year: map[string]int{"2021": 1}, Country: map[string]int{"JP": 1}}
	if diff := cmp.Diff(want, p.Facets); diff != "" || p.DistinctCodes["applicant"] != 2 {
		t.Error(diff, p.DistinctCodes)
	}
}

// The codes of a profile may be written as gazettes print them.
func TestAProfileTakesCodesInAnyWriting(t *testing.T) {
	d := testEngine(t, t.TempDir(), cells())
	a, b := keep(t, d, "fulltext_recall", "JP1", "JP3", "JP4"), keep(t, d, "semantic", "JP4", "JP3")
	for _, profile := range []rankfusion.Profile{
		{FT: map[string]float64{"5H030 AS08": 1}}, {FT: map[string]float64{"5H030AS08": 1}}, {CPC: map[string]float64{"H02J 7/0048": 1}},
	} {
		p := rankfusion.DefaultParams()
		p.Profile = profile
		out := blend(t, d, p, a, b)
		if held := slices.ContainsFunc(out.RankedDocs, func(r RankedDoc) bool { return r.PiCode == 1 }); !held || len(out.Warnings) > 0 {
			t.Errorf("%+v: %+v, %q", profile, out.RankedDocs, out.Warnings)
		}
	}
}
