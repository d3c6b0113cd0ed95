// Package sdk is the API for authors of sagasu strategies.
//
// A strategy is one way to find or to rank sections of a corpus: of manuals, of a vault of finished
// work, of publications. It is a separate program, which the host starts in a sandbox, queries, and
// stops. Strategies run in parallel, and the host fuses their results with measured weights.
//
// # The first one
//
//	sagasu plugin new my-strategy --sdk CHECKOUT
//
// writes a module that builds, passes its tests and runs. Until sagasu is published, the module builds with CHECKOUT,
// a checkout of sagasu. Its main is
//
//	func main() { serve.Strategy(New()) }
//
// and New returns a [Strategy], which has two methods. Describe describes it:
//
//	func (*Strategy) Describe() sdk.Description {
//		return sdk.Description{
//			Name: "my-strategy", Version: "0.1.0", Stage: sdk.StageRetrieve,
//			Signals: []string{sdk.SignalNormalized}, Weight: 0.1,
//		}
//	}
//
// Search answers one [Request] with a [Result]: the best sections, each with a score on any scale.
// Scores are compared only within one result; the host scales them.
//
//	func (*Strategy) Search(ctx context.Context, req *sdk.Request) (*sdk.Result, error) {
//		out := &sdk.Result{Finished: true}
//		for sections := req.Sections().Iterator(); sections.HasNext(); out.Examined++ {
//			if ctx.Err() != nil { // out of time: return what was found
//				out.Finished = false
//				break
//			}
//			id := sections.Next()
//			if score := fit(req.Query, req.Corpus.Normalized(id, snapshot.FieldBody)); score > 0 {
//				out.Candidates = append(out.Candidates, sdk.Candidate{
//					Section: id, Score: score, Signals: []string{sdk.SignalNormalized},
//				})
//			}
//		}
//		out.Candidates = sdk.Best(out.Candidates, req.Limit)
//		return out, nil
//	}
//
// # Stages
//
// Strategies of [StageRetrieve] search the scope, in parallel. Those of [StageFill] run when the former found too
// little. Those of [StageRerank] score the sections of [Request.Pool], which earlier stages found, and add none.
// Those of [StageFeedback] use the pool to score the sections ranked below it. Those of [StageGather] are
// [Gatherer]s. Those of [StageJudge] read [Request.Passages] and report answers and contradictions.
// [Result.Candidates] and [Result.Matched] report which sections matched, [Result.Examined] and [Result.Finished] how
// much of the scope was examined.
//
// # Admission
//
// Signals decide which sections are found. A section is a candidate if some strategy returns it with the
// signal heading, normalized or loose, or if it is in [Result.Matched] of a strategy that declares one of
// these signals. Other signals change the order of candidates and add none, unless [Description.Admitting]
// names them and the user installed the strategy with --admit. sagasu plugin check reports "adds no sections"
// for a strategy that declares no admitting signal, and for one whose candidates carry none.
//
// # The query
//
// [Query.Raw] is the query as given. [Query.Terms] are its content words, codes and quoted phrases
// in search form: folded to lower case and one width, with numerals in digits.
// [snapshot.Snapshot.Normalized] returns the text of a section in the same form (package text), so
// that strings.Contains finds "サーバー" in ｻｰﾊﾞｰ and 第3条 in 第三条. To rank by words, use package lexical, which reads
// the term dictionary and postings ([snapshot.Segment.Postings]): lexical.Search with lexical.NewBag is BM25F.
//
// # Life
//
//  1. The host starts the executable and calls [Strategy.Describe].
//  2. A [Configurer] receives its configuration, if there is one.
//  3. An [Opener] receives each snapshot before the first search on it, to precompute.
//  4. [Strategy.Search] is called, from several goroutines at once.
//  5. A [SnapshotCloser] is notified when a snapshot is no longer used: an edit of the corpus brings the next one.
//  6. When the host disconnects, an [io.Closer] is closed and the process ends.
//
// The host stops a strategy that is idle for ten minutes and starts it again when needed. After a panic, an error, a
// broken rule or a late answer, the query goes on without the strategy and says so in its warnings. [Logger] writes
// to the host's log, never to stdout, which the transport needs. [StateDir] is the only place to keep files; [Kept]
// caches data computed from a snapshot there.
//
// Text is not sent: host and strategy map the same read-only snapshot (package snapshot) and
// exchange only ids and scores, except for the few passages of a judge. The transport is in package
// wire, and a strategy never sees it.
//
// # Trying it
//
//	func TestConformance(t *testing.T) { sdktest.Run(t, New) }
//
// checks a strategy against every rule of the host, over gRPC, and explains each broken rule.
// sdktest.Snapshot makes small corpora for tests of your own, and sdktest.Query the plan of a query.
//
//	sagasu plugin check ./my-strategy
//
// does the same to any executable, in its sandbox, and measures it. In docs/, the page
// writing-a-strategy.md walks through all of this.
//
// # Compatibility
//
// Everything that these packages export is promised: names, signatures, fields and constant values
// do not change.
//
//   - sdk: the interfaces and types of a strategy
//   - serve: what the main of a strategy calls
//   - sdktest: tests of a strategy
//   - snapshot: reading a corpus. Writing one is not promised; its package comment lists that part
//   - text: the search form of text, and its tokens
//   - lexical: search by terms
//   - embed: vectors from an embedding service
//   - schema: the JSON Schemas of the tools on logic
//
// The messages, calls, field numbers and field types of proto/strategy.proto, and the names in __all__ of
// python/sagasu.py, are promised too. A strategy that was built with an earlier sdk keeps running. A change that new
// fields cannot express gets a new version of the protocol, which host and strategy agree on at the start.
//
// New versions may add functions, types, struct fields, constants, and methods of types that are not interfaces.
// Interfaces of these packages get no new methods; new abilities become new interfaces, such as [Opener]. Name the
// fields in struct literals, and expect new kinds, intents and signals.
//
// Packages below sdk/x are not promised. A test compares this promise with testdata/api.txt.
//
// # Converters
//
// Authors can also write a [Converter], which turns documents such as PDFs into Markdown. Its main calls
// serve.Converter; sagasu plugin new --converter writes one.
package sdk
