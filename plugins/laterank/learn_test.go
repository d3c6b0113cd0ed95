package laterank

import (
	"context"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/go-hclog"

	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/sdktest"
)

// topics gives sections of twelve topics with four words each, of which every
// section lacks one. Of the first topic, every other section has "car" and the
// others "automobile"; the second has "bread".
func topics() []sdktest.Section {
	var out []sdktest.Section
	for topic := range 12 {
		for i := range 10 {
			var body []string
			for w := range 4 {
				if w != i%4 {
					body = append(body, fmt.Sprintf("topic%c%c", 'a'+topic, 'a'+w))
				}
			}
			switch {
			case topic == 0:
				body = append(body, [...]string{"car", "automobile"}[i%2])
			case topic == 1 && i%2 == 0:
				body = append(body, "bread")
			}
			out = append(out, sdktest.Section{Heading: fmt.Sprint("section ", i), Body: strings.Join(body, " ")})
		}
	}
	return out
}

func TestWordsOfOneTopicPointTheSameWay(t *testing.T) {
	m, err := learn(context.Background(), sdktest.Snapshot(t, topics()...))
	if err != nil || m == nil {
		t.Fatalf("%v, %v", m, err)
	}
	alike, other := cosine(m.vector("", "car"), m.vector("", "automobil")), cosine(m.vector("", "car"), m.vector("", "bread"))
	if alike < 0.3 || alike < other+0.2 {
		t.Errorf("car and automobile %v, car and bread %v", alike, other)
	}
	if m.vector("", "unheard") != nil {
		t.Error("an unknown word has a direction")
	}
}

func TestTheSameCorpusTeachesTheSame(t *testing.T) {
	snap := sdktest.Snapshot(t, topics()...)
	a, _ := learn(context.Background(), snap)
	b, _ := learn(context.Background(), snap)
	if diff := cmp.Diff(a.vectors, b.vectors); diff != "" {
		t.Error(diff)
	}
}

func TestATinyCorpusTeachesNothing(t *testing.T) {
	m, err := learn(context.Background(), sdktest.Snapshot(t, sdktest.Section{Body: "disk"}, sdktest.Section{Body: "disk"}))
	if m != nil || err != nil {
		t.Errorf("%v, %v", m, err)
	}
	if m.vector("disk", "disk") != nil {
		t.Error("nothing gives a direction")
	}
}

func TestLearningStopsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if m, err := learn(ctx, sdktest.Snapshot(t, topics()...)); m != nil || err == nil {
		t.Errorf("%v, %v", m, err)
	}
}

// learned is the strategy with learning switched on, its lesson over.
func learned(t *testing.T, req *sdk.Request) *Strategy {
	t.Helper()
	s := New()
	s.config.Learned, s.config.LearnedLeast = 0.8, 0.3
	t.Cleanup(func() { s.Close() })
	if err := s.Open(context.Background(), req.Corpus); err != nil {
		t.Fatal(err)
	}
	s.models.running.Wait()
	return s
}

func TestLearnedLikenessCounts(t *testing.T) {
	sections := append(topics(), sdktest.Section{Body: "bread and jam"}, sdktest.Section{Body: "automobile and jam"})
	req := request(t, []string{"car"}, sections...)
	req.Pool = req.Pool[len(req.Pool)-2:]
	with, err := learned(t, req).Search(context.Background(), req)
	if err != nil || with.Candidates[0].Section != 121 || with.Candidates[0].Score == 0 {
		t.Errorf("learned: %+v, %v", with, err)
	}
	without, err := New().Search(context.Background(), req)
	if err != nil || without.Candidates[0].Score != 0 {
		t.Errorf("not learned: %+v, %v", without, err)
	}
}

func TestOnlyTheNewestModelsAreKept(t *testing.T) {
	var s modelCache
	defer s.close()
	for i := range 4 {
		snap := sdktest.Snapshot(t, topics()...)
		s.start(snap.Dir(), snap.Name(), hclog.NewNullLogger())
		s.start(snap.Dir(), fmt.Sprintf("gone-%d", i), hclog.NewNullLogger())
	}
	s.running.Wait()
	if len(s.bySnapshot) != mostModels || len(s.cancel) != mostModels {
		t.Errorf("%d models are kept", len(s.bySnapshot))
	}
}

func TestASnapshotThatIsGoneIsNoError(t *testing.T) {
	req := request(t, []string{"car"}, topics()...)
	if err := os.RemoveAll(req.Corpus.Dir()); err != nil {
		t.Skip("an open snapshot cannot be removed here:", err)
	}
	res, err := learned(t, req).Search(context.Background(), req)
	if err != nil || len(res.Candidates) != len(req.Pool) {
		t.Errorf("%v", err)
	}
}

func TestNothingIsLearnedAfterTheEnd(t *testing.T) {
	req := request(t, []string{"car"}, topics()...)
	s := learned(t, req)
	s.Close()
	other := sdktest.Snapshot(t, topics()...)
	s.models.start(other.Dir(), "another", hclog.NewNullLogger())
	if _, known := s.models.bySnapshot["another"]; known {
		t.Error("a closed strategy goes on learning")
	}
}
