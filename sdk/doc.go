// Package sdk is all that the author of a sagasu strategy imports.
//
// A strategy finds or orders sections of a corpus. It implements [Strategy],
// its main calls serve.Strategy (package serve), and the host runs it as a
// process of its own:
//
//  1. The host starts the executable in a sandbox and asks [Strategy.Describe].
//  2. If the strategy is a [Configurer], it is given its configuration.
//  3. Each time a snapshot is published and the strategy is an [Opener], it is
//     handed the snapshot to precompute what it needs.
//  4. [Strategy.Search] is called, concurrently, once per query.
//  5. When the host lets go, an [io.Closer] is closed and the process ends.
//
// Text does not travel: host and strategy map the same read-only snapshot
// (package snapshot) and only section ids and scores cross the border. The
// transport lives in package wire, and a strategy never sees it.
package sdk
