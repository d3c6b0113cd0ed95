// Package audit checks whether an artifact is based on its source: which of its elements cite no
// source lines, which branches are disconnected, which references are broken, and which lines of
// the source are unused. It consists of pure functions over bytes: it opens no files and keeps no
// state.
//
// # Elements
//
// Headings, list items and table rows of Markdown; nodes and edges of Mermaid
// flowcharts in it; objects with an id in JSON. An element that asserts
// something must cite. Those that carry a citation assert; of the others these
// do not:
//
//   - a heading, unless it is a rule itself (words such as must, only … may, こと),
//     or all that it has under it are paragraphs that state one
//   - a list item or row of links alone, of nothing, or that names the document's
//     own data (作成日:, Version:); an item that only introduces the items in it
//   - a table's header; what stands under a title such as 変更履歴 or Open questions
//   - a node that marks the start, the end or a junction; one in a legend
//   - an edge without a label, or whose label answers the decision, or the
//     node with several labelled ways out, that it leaves (yes, はい, a word
//     that states no rule)
//   - an object that only holds other elements, or joins two
//
// # Citations
//
// `source_lines: 3`, `3-5` or `3-5, 8` in the text of an element, in a comment
// on its line or on a line of its own beside it, or in a table's column of that
// name. A comment between two elements belongs to the one that asserts; of two
// that do, to the one on the side where the file's other comments stand, and
// else to the upper. In a chart a comment that begins with IDs (`%% a, b
// source_lines: 3`) belongs to these. A citation in a paragraph belongs to the
// heading above it. In JSON source_lines is a member: a string as above, a
// number, or an array of lines, strings, and objects with start_line and
// end_line.
//
// Malformed lines (1-2-3, 1.5, `1 2`, 1-, 8foo) make the whole citation unreadable. A citation of
// only blank lines or front matter of the source is wrong, as is any citation of an empty source.
package audit
