// Package sdk is all that the author of a sagasu strategy imports.
//
// A strategy is one way to find or to rank sections of a corpus: of manuals, of a vault of
// finished work, of publications. It is a program of its own, which the host starts in a
// sandbox, queries, and stops. It runs in parallel with the others, and the host fuses their
// results by weights, which are measured.
//
// # The first one
//
//	sagasu plugin new my-strategy --sdk CHECKOUT
//
// writes a module that builds, with the checkout of sagasu until the module is published,
// passes its tests and runs. Its main is
//
//	func main() { serve.Strategy(New()) }
//
// and New gives a [Strategy], which is two methods. Describe says what it is:
//
//	func (*Strategy) Describe() sdk.Description {
//		return sdk.Description{
//			Name: "my-strategy", Version: "0.1.0", Stage: sdk.StageRetrieve,
//			Signals: []string{sdk.SignalNormalized}, Weight: 0.1,
//		}
//	}
//
// Search answers one [Request] with a [Result]: the best sections, each with a score of
// whatever scale. Scores are compared within one result only; the host scales them.
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
// A strategy of [StageRetrieve] searches the scope, beside the others. One of [StageFill] is
// called when they found too little. One of [StageRerank] scores the sections of
// [Request.Pool], which the others found, and adds none. One of [StageFeedback] has seen the pool and
// scores the sections that were found below it. One of [StageGather] is a [Gatherer]. One of [StageJudge] reads
// [Request.Passages] and says what answers the query and what contradicts. [Result.Candidates] and
// [Result.Matched] tell callers which part of the corpus is covered; [Result.Examined] and
// [Result.Finished], which part was not examined.
//
// # Admission
//
// What is found is decided by signals. A section is a candidate when it carries the signal heading,
// normalized or loose in the result of some strategy, or when [Result.Matched] of a strategy that declares one
// of them holds it. Other signals order what was found and add nothing, unless [Description.Admitting] names
// them and the user installed the strategy with --admit. sagasu plugin check says "adds no sections" of a
// strategy that cannot, and of one whose candidates do not say why they are there.
//
// # The query
//
// [Query.Raw] is what was asked. [Query.Terms] are its content words, codes and quoted
// phrases in search form: folded to lower case and one width, with numerals in digits.
// [snapshot.Snapshot.Normalized] gives the text of a section in the same form (package text),
// so that strings.Contains finds "サーバー" in ｻｰﾊﾞｰ and 第3条 in 第三条. For ranking by words
// there are a term dictionary and postings: [snapshot.Segment.Postings].
//
// # Life
//
//  1. The host starts the executable and asks [Strategy.Describe].
//  2. A [Configurer] is given its configuration, if there is one.
//  3. An [Opener] is handed each snapshot before the first search on it, to precompute.
//  4. [Strategy.Search] is called, from several goroutines at once.
//  5. A [SnapshotCloser] is told when a snapshot is used no more: an edit of the corpus brings the next one.
//  6. When the host lets go, an [io.Closer] is closed and the process ends.
//
// The host stops what is idle for ten minutes and starts it again when it is needed. A panic
// costs the one query; an error, a breach of the rules or a late answer does too, and is named
// in its warnings. [Logger] writes to the host's log, never to stdout, which the transport
// needs. [StateDir] is the one place to keep files in; [Kept] keeps there what was computed of a snapshot.
//
// Text does not travel: host and strategy map the same read-only snapshot (package snapshot)
// and only ids and scores cross the border, but for the few passages of a judge. The transport
// lives in package wire, and a strategy never sees it.
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
// Everything that these packages export is promised: it stays, with its name, signature, fields
// and constant values.
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
// Promised are also the messages, calls, field numbers and field types of
// proto/strategy.proto, and the names in __all__ of python/sagasu.py. A strategy that was built
// with an earlier sdk keeps running. What cannot be said by adding fields gets a new version of
// the protocol, which host and strategy agree on at the start.
//
// New versions may add functions, types, struct fields, constants, and methods of types that are
// not interfaces. Interfaces of these packages get no new methods; new abilities become
// interfaces of their own, as [Opener] is. Name the fields in struct literals, and expect new
// kinds, intents and signals.
//
// Packages below sdk/x are not promised. A test compares this promise with testdata/api.txt.
//
// # Converters
//
// A [Converter] is the other thing that an author may write: it makes Markdown of documents, such as PDFs. Its main
// calls serve.Converter; sagasu plugin new --converter writes one.
package sdk
