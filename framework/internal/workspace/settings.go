package workspace

import (
	"strings"

	"github.com/sagasu-search/sagasu/framework/internal/logic/repo"
)

// setting is one row of the configuration: its name, the values it takes, its
// default and who may set it. Adding a setting is a row here and a field in
// [Workspace].
type setting struct {
	name  string
	alias string // a second, shorter flag
	value value
	def   string // relative paths start from the workspace; "" leaves the zero value
	guest bool   // a workspace's own file may set it, although it may come from a stranger
	usage string
}

var settings = []setting{
	{name: "WORKSPACE_ROOT", alias: "workspace", def: ".", usage: "the workspace `DIR`",
		value: path(func(w *Workspace) *string { return &w.Root })},
	{name: "MANUALS_ROOT", def: "${WORKSPACE_ROOT}/manuals", guest: true,
		usage: "`DIR` that holds one folder per manual",
		value: path(func(w *Workspace) *string { return &w.ManualsRoot })},
	{name: "VAULT_ROOT", def: "${WORKSPACE_ROOT}/vault", guest: true, usage: "`DIR` where finished work is kept",
		value: path(func(w *Workspace) *string { return &w.VaultRoot })},
	{name: "PUBLICATIONS_ROOT", def: "${WORKSPACE_ROOT}/publications", guest: true,
		usage: "JSON Lines `FILE` of publications, or a folder of them",
		value: path(func(w *Workspace) *string { return &w.PublicationsRoot })},
	{name: "DEFAULT_MANUAL_ID", usage: "the manual searched when a call names none",
		value: word(func(w *Workspace) *string { return &w.DefaultManualID })},
	{name: "LOG_LEVEL", def: "info", usage: "how much is logged on stderr",
		value: enum(func(w *Workspace) *string { return &w.LogLevel }, "trace", "debug", "info", "warn", "error",
			"off")},
	{name: "TRACE_MAX_KEEP", def: "100", guest: true, usage: "traces kept per session",
		value: integer(1, 100_000, func(w *Workspace) *int { return &w.TraceMaxKeep })},
	{name: "TRACE_TTL_SEC", def: "1800", guest: true, usage: "seconds that a trace lives",
		value: integer(1, 31_536_000, func(w *Workspace) *int { return &w.TraceTTLSec })},
	{name: "ALLOW_FILE_SCOPE", def: "false", usage: "whether a whole Markdown file may be read at once",
		value: boolean(func(w *Workspace) *bool { return &w.AllowFileScope })},
	{name: "SPARSE_QUERY_COVERAGE_WEIGHT", def: "0.35", guest: true, usage: "weight of query coverage in a score",
		value: float(0, 10, func(w *Workspace) *float64 { return &w.SparseQueryCoverageWeight })},
	{name: "LATE_RERANK_ENABLED", def: "true", guest: true,
		usage: "whether the bundled reranker orders the best candidates",
		value: boolean(func(w *Workspace) *bool { return &w.LateRerankEnabled })},
	{name: "LATE_RERANK_WEIGHT", def: "0.4", guest: true,
		usage: "what the bundled reranker counts beside the order it is given",
		value: float(0, 1, func(w *Workspace) *float64 { return &w.LateRerankWeight })},
	{name: "LATE_RERANK_TOP_N", def: "50", guest: true, usage: "candidates given to a reranker",
		value: integer(1, 1_000, func(w *Workspace) *int { return &w.LateRerankTopN })},
	{name: "RERANK_URL", usage: "`URL` of a service that orders the best candidates, with its path; none when " +
		"not given",
		value: word(func(w *Workspace) *string { return &w.RerankURL })},
	{name: "RERANK_API", def: "cohere", usage: "how that service is spoken to",
		value: enum(func(w *Workspace) *string { return &w.RerankAPI }, "cohere", "jina", "tei", "vllm")},
	{name: "RERANK_MODEL", usage: "that service's name of the model",
		value: word(func(w *Workspace) *string { return &w.RerankModel })},
	{name: "RERANK_KEY_ENV", usage: "`NAME` of the environment variable that holds that service's key",
		value: word(func(w *Workspace) *string { return &w.RerankKeyEnv })},
	{name: "RERANK_BATCH", def: "32", usage: "texts that service is sent at once",
		value: integer(1, 1_000, func(w *Workspace) *int { return &w.RerankBatch })},
	{name: "RERANK_TIMEOUT_MS", def: "1500", usage: "milliseconds that service gets per call, within STRATEGY_TIME_MS",
		value: integer(1, 600_000, func(w *Workspace) *int { return &w.RerankTimeoutMS })},
	{name: "RERANK_MAX_CHARS", def: "2000", usage: "most characters of a section that service is sent",
		value: integer(1, 100_000, func(w *Workspace) *int { return &w.RerankMaxChars })},
	{name: "CORRECTIVE_ENABLED", def: "true", guest: true, usage: "whether a weak answer makes a search widen",
		value: boolean(func(w *Workspace) *bool { return &w.CorrectiveEnabled })},
	{name: "CORRECTIVE_COVERAGE_MIN", def: "0.90", guest: true,
		usage: "share of the query's terms that the best candidates must cover between them",
		value: float(0, 1, func(w *Workspace) *float64 { return &w.CorrectiveCoverageMin })},
	{name: "CORRECTIVE_MARGIN_MIN", def: "0.15", guest: true,
		usage: "lead of the best candidate over the next, as a share of its score",
		value: float(0, 1, func(w *Workspace) *float64 { return &w.CorrectiveMarginMin })},
	{name: "CORRECTIVE_MIN_CANDIDATES", def: "3", guest: true, usage: "candidates that make an answer",
		value: integer(0, 1_000, func(w *Workspace) *int { return &w.CorrectiveMinCandidates })},
	{name: "CORRECTIVE_ON_CONFLICT", def: "true", guest: true, usage: "whether a contradiction makes a search widen",
		value: boolean(func(w *Workspace) *bool { return &w.CorrectiveOnConflict })},
	{name: "SEM_CACHE_ENABLED", def: "true", guest: true, usage: "whether answers are kept for equal queries",
		value: boolean(func(w *Workspace) *bool { return &w.SemCacheEnabled })},
	{name: "SEM_CACHE_TTL_SEC", def: "1800", guest: true, usage: "seconds that a kept answer lives",
		value: integer(1, 31_536_000, func(w *Workspace) *int { return &w.SemCacheTTLSec })},
	{name: "SEM_CACHE_MAX_KEEP", def: "500", guest: true, usage: "answers kept",
		value: integer(1, 100_000, func(w *Workspace) *int { return &w.SemCacheMaxKeep })},
	{name: "SEM_CACHE_SIM_THRESHOLD", def: "0.92", guest: true,
		usage: "likeness from which on an embedding provider's queries are equal",
		value: float(0, 1, func(w *Workspace) *float64 { return &w.SemCacheSimThreshold })},
	{name: "SEM_CACHE_MAX_SUMMARY_GAP", def: "-1", guest: true,
		usage: "most gaps of an answer that is given again unchecked, -1 for any",
		value: integer(-1, 1_000, func(w *Workspace) *int { return &w.SemCacheMaxSummaryGap })},
	{name: "SEM_CACHE_MAX_SUMMARY_CONFLICT", def: "-1", guest: true,
		usage: "most conflicts of an answer that is given again unchecked, -1 for any",
		value: integer(-1, 1_000, func(w *Workspace) *int { return &w.SemCacheMaxSummaryConflict })},
	{name: "ADAPTIVE_TUNING", def: "true", guest: true, usage: "whether use moves the thresholds of widening",
		value: boolean(func(w *Workspace) *bool { return &w.AdaptiveTuning })},
	{name: "ADAPTIVE_STATS_PATH", def: "${VAULT_ROOT}/.system/adaptive_stats.jsonl", guest: true,
		usage: "`FILE` of figures, a row per search",
		value: path(func(w *Workspace) *string { return &w.AdaptiveStatsPath })},
	{name: "ADAPTIVE_MIN_RECALL", def: "0.90", guest: true,
		usage: "share of what is used that searches must have found",
		value: float(0, 1, func(w *Workspace) *float64 { return &w.AdaptiveMinRecall })},
	{name: "ADAPTIVE_CANDIDATE_LOW_BASE", def: "3", guest: true,
		usage: "candidates below which a search widens, to begin with",
		value: integer(2, 6, func(w *Workspace) *int { return &w.AdaptiveCandidateLowBase })},
	{name: "ADAPTIVE_FILE_BIAS_BASE", def: "0.80", guest: true,
		usage: "share of the candidates in one file from which on a search widens, to begin with",
		value: float(0.7, 0.9, func(w *Workspace) *float64 { return &w.AdaptiveFileBiasBase })},
	{name: "COVERAGE_MIN_RATIO", def: "0.90", guest: true, usage: "share of a text that counts as read",
		value: float(0, 1, func(w *Workspace) *float64 { return &w.CoverageMinRatio })},
	{name: "MARGINAL_GAIN_MIN", def: "0.02", guest: true,
		usage: "evidence per token below which reading on is not worth it",
		value: float(0, 1, func(w *Workspace) *float64 { return &w.MarginalGainMin })},
	{name: "VAULT_SCAN_DEFAULT_CHUNK_LINES", def: "80", guest: true,
		usage: "lines of a piece that a scan of the vault reads",
		value: integer(1, 10_000, func(w *Workspace) *int { return &w.VaultScanDefaultChunkLines })},
	{name: "VAULT_SCAN_MAX_CHUNK_LINES", def: "200", guest: true, usage: "most lines of such a piece",
		value: integer(1, 10_000, func(w *Workspace) *int { return &w.VaultScanMaxChunkLines })},
	{name: "VAULT_MAX_CHARS", def: "12000", guest: true, usage: "most characters of a text of the vault in an answer",
		value: integer(1, 1_000_000, func(w *Workspace) *int { return &w.VaultMaxChars })},
	{name: "VAULT_HISTORY_MAX_MB", def: "512", guest: true,
		usage: "megabytes kept of what was overwritten in the vault",
		value: integer(1, 1_000_000, func(w *Workspace) *int { return &w.VaultHistoryMaxMB })},
	{name: "LOGIC_ROOT", def: "${WORKSPACE_ROOT}", guest: true,
		usage: "`DIR` of the repository that questions on logic are about",
		value: path(func(w *Workspace) *string { return &w.LogicRoot })},
	{name: "LOGIC_CODE_GLOBS", def: strings.Join(repo.DefaultGlobs().Code, ","), guest: true,
		usage: "which files below LOGIC_ROOT are code",
		value: globs(func(w *Workspace) *[]string { return &w.LogicGlobs.Code })},
	{name: "LOGIC_SPEC_GLOBS", def: strings.Join(repo.DefaultGlobs().Specs, ","), guest: true,
		usage: "which are main specifications",
		value: globs(func(w *Workspace) *[]string { return &w.LogicGlobs.Specs })},
	{name: "LOGIC_CHANGE_GLOBS", def: strings.Join(repo.DefaultGlobs().Changes, ","), guest: true,
		usage: "which are specifications of open changes",
		value: globs(func(w *Workspace) *[]string { return &w.LogicGlobs.Changes })},
	{name: "LOGIC_QA", def: "on", usage: "whether questions on logic are answered",
		value: enum(func(w *Workspace) *string { return &w.LogicQA }, "on", "off")},
	{name: "LOGIC_ANSWERER", def: AnswererExtractive, usage: "what words the answers",
		value: enum(func(w *Workspace) *string { return &w.LogicAnswerer }, AnswererExtractive, AnswererChat)},
	{name: "LOGIC_CHAT_URL", usage: "`URL` of an OpenAI-style chat service, up to and with /v1; its key is " +
		"LOGIC_CHAT_KEY in the environment",
		value: word(func(w *Workspace) *string { return &w.LogicChatURL })},
	{name: "LOGIC_CHAT_MODEL", usage: "that service's name of the model",
		value: word(func(w *Workspace) *string { return &w.LogicChatModel })},
	{name: "STRATEGY_TIME_MS", def: "2000", guest: true, usage: "milliseconds one strategy gets per query",
		value: integer(1, 600_000, func(w *Workspace) *int { return &w.StrategyTimeMS })},
	{name: "TOOLSETS", usage: "tool groups to switch on, separated by commas; by what the workspace holds when " +
		"not given",
		value: enums(func(w *Workspace) *[]string { return &w.Toolsets }, "manual", "vault", "bridge", "logic", "rrf",
			"rrf-human")},
	{name: "READ_ONLY", def: "false", usage: "leave out every tool that writes",
		value: boolean(func(w *Workspace) *bool { return &w.ReadOnly })},
	{name: "RESULT_FORMAT", def: "both", usage: "how an MCP result carries its JSON",
		value: enum(func(w *Workspace) *string { return &w.ResultForm }, "both", "structured", "text")},
	{name: "PLUGIN_PATH", usage: "folders searched for installed strategies",
		value: paths(func(w *Workspace) *[]string { return &w.PluginPath })},
	{name: "SAGASU_CACHE_DIR", def: "${CACHE}", usage: "`DIR` for index directories",
		value: path(func(w *Workspace) *string { return &w.CacheHome })},
}

func rowOf(name string) (setting, bool) {
	for _, s := range settings {
		if s.name == name {
			return s, true
		}
	}
	return setting{}, false
}

// flag is the setting's name on a command line.
func (s setting) flag() string { return strings.ReplaceAll(s.key(), "_", "-") }

// key is the setting's name in a TOML file.
func (s setting) key() string { return strings.ToLower(s.name) }

// Value returns the effective value of a setting such as "RERANK_URL", "" for an unknown one.
func (w *Workspace) Value(name string) string {
	row, known := rowOf(name)
	if !known {
		return ""
	}
	return row.value.show(w)
}

// Effective is one line of the configuration as it came out.
type Effective struct {
	Name, Value, Origin string
}

// Effective lists every setting in the order of the table.
func (w *Workspace) Effective() []Effective {
	lines := make([]Effective, len(settings))
	for i, s := range settings {
		lines[i] = Effective{Name: s.name, Value: s.value.show(w), Origin: w.Origin(s.name)}
	}
	return lines
}
