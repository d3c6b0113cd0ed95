package mcpserver

// instructions is what a client tells its model about the server. At most
// 1,500 characters.
const instructions = `sagasu searches Markdown and JSON manuals, Japanese and English alike, so that nothing relevant is missed and few tokens are spent.

Work in this order:
1. manual_find: ask in plain words. The answer is a trace_id, figures and next_actions, not text. inline_hits {"limit": 3} adds the best refs at once.
2. manual_hits: page the refs of that trace_id with offset and limit until offset + items reaches total. kind "integrated_top" is the best twenty; look also at "conflicts", "gaps" and "unscanned" when the summary counts any.
3. manual_read: read a section by its ref. Reading the same section again goes on after it.
4. manual_scan: read a file piece by piece; hand next_cursor back until eof is true.
manual_ls and manual_toc show what there is; they are for orientation, not for search. manual_excepts lists lines of exception and warning: look there before you say that something is covered.

Every entry of next_actions is a call that works as it stands: prefer it to one of your own. integration_status "ready" means read and answer; "needs_followup" means follow next_actions first; "blocked" means nothing was found: try other words, or another manual.
An error says in details what was expected, often with did_you_mean and a corrected example: repeat the call so.

Pass on the user's words in their own language; quote "exact phrases", codes and numbers. Answer in the language of the question, cite path and line, and say what the manuals do not settle.`
