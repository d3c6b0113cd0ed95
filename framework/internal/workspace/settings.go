package workspace

import (
	"slices"
	"strings"

	"github.com/sagasu-search/sagasu/framework/internal/logic/repo"
)

// setting is one row of the configuration. Adding one is a row of settingsOf and a field in
// [Workspace].
type setting struct {
	name  string
	value value
	def   string // relative paths start from the workspace; "" leaves the zero value
	guest bool   // whether a workspace's own file, which may come from a stranger, may set it
	usage string
}

const (
	userOnly = false
	guest    = true
)

// rootSetting is the setting that must be known before the others.
const rootSetting = "WORKSPACE_ROOT"

// rootFlag is the flag of rootSetting that the help shows first.
const rootFlag = "workspace"

// settingsOf lists the settings, bound to the fields of w.
func settingsOf(w *Workspace) []setting {
	globs := repo.DefaultGlobs()
	return []setting{
		{"WORKSPACE_ROOT", path(&w.Root), ".", userOnly, "the workspace `DIR`"},
		{"MANUALS_ROOT", path(&w.ManualsRoot), "${WORKSPACE_ROOT}/manuals", guest,
			"`DIR` that holds one folder per manual"},
		{"VAULT_ROOT", path(&w.VaultRoot), "${WORKSPACE_ROOT}/vault", guest, "`DIR` where finished work is kept"},
		{"PUBLICATIONS_ROOT", path(&w.PublicationsRoot), "${WORKSPACE_ROOT}/publications", guest,
			"JSON Lines `FILE` of publications, or a folder of them"},
		{"DEFAULT_MANUAL_ID", word(&w.DefaultManualID), "", userOnly, "the manual searched when a call names none"},
		{"LOG_LEVEL", enum(&w.LogLevel, "trace", "debug", "info", "warn", "error", "off"), "info", userOnly,
			"how much is logged on stderr"},
		{"TRACE_MAX_KEEP", integer(&w.TraceMaxKeep, 1, 100_000), "100", guest, "traces kept per session"},
		{"TRACE_TTL_SEC", integer(&w.TraceTTLSec, 1, 31_536_000), "1800", guest, "seconds that a trace lives"},
		{"ALLOW_FILE_SCOPE", boolean(&w.AllowFileScope), "false", userOnly,
			"whether a whole Markdown file may be read at once"},
		{"SPARSE_QUERY_COVERAGE_WEIGHT", float(&w.SparseQueryCoverageWeight, 0, 10), "0.35", guest,
			"weight of query coverage in a score"},
		{"LATE_RERANK_ENABLED", boolean(&w.LateRerankEnabled), "true", guest,
			"whether the bundled reranker orders the best candidates"},
		{"LATE_RERANK_WEIGHT", float(&w.LateRerankWeight, 0, 1), "0.4", guest,
			"what the bundled reranker counts beside the order it is given"},
		{"LATE_RERANK_TOP_N", integer(&w.LateRerankTopN, 1, 1_000), "50", guest, "candidates given to a reranker"},
		{"RERANK_URL", word(&w.RerankURL), "", userOnly,
			"`URL` of a service that orders the best candidates, with its path; none when not given"},
		{"RERANK_API", enum(&w.RerankAPI, "cohere", "jina", "tei", "vllm"), "cohere", userOnly,
			"how that service is spoken to"},
		{"RERANK_MODEL", word(&w.RerankModel), "", userOnly, "that service's name of the model"},
		{"RERANK_KEY_ENV", word(&w.RerankKeyEnv), "", userOnly,
			"`NAME` of the environment variable that holds that service's key"},
		{"RERANK_BATCH", integer(&w.RerankBatch, 1, 1_000), "32", userOnly, "texts that service is sent at once"},
		{"RERANK_TIMEOUT_MS", integer(&w.RerankTimeoutMS, 1, 600_000), "1500", userOnly,
			"milliseconds that service gets per call, within STRATEGY_TIME_MS"},
		{"RERANK_MAX_CHARS", integer(&w.RerankMaxChars, 1, 100_000), "2000", userOnly,
			"most characters of a section that service is sent"},
		{"CORRECTIVE_ENABLED", boolean(&w.CorrectiveEnabled), "true", guest,
			"whether a weak answer makes a search widen"},
		{"CORRECTIVE_COVERAGE_MIN", float(&w.CorrectiveCoverageMin, 0, 1), "0.90", guest,
			"share of the query's terms that the best candidates must cover between them"},
		{"CORRECTIVE_MARGIN_MIN", float(&w.CorrectiveMarginMin, 0, 1), "0.15", guest,
			"lead of the best candidate over the next, as a share of its score"},
		{"CORRECTIVE_MIN_CANDIDATES", integer(&w.CorrectiveMinCandidates, 0, 1_000), "3", guest,
			"candidates that make an answer"},
		{"CORRECTIVE_ON_CONFLICT", boolean(&w.CorrectiveOnConflict), "true", guest,
			"whether a contradiction makes a search widen"},
		{"SEM_CACHE_ENABLED", boolean(&w.SemCacheEnabled), "true", guest, "whether answers are kept for equal queries"},
		{"SEM_CACHE_TTL_SEC", integer(&w.SemCacheTTLSec, 1, 31_536_000), "1800", guest,
			"seconds that a kept answer lives"},
		{"SEM_CACHE_MAX_KEEP", integer(&w.SemCacheMaxKeep, 1, 100_000), "500", guest, "answers kept"},
		{"SEM_CACHE_SIM_THRESHOLD", float(&w.SemCacheSimThreshold, 0, 1), "0.92", guest,
			"likeness from which on an embedding provider's queries are equal"},
		{"SEM_CACHE_MAX_SUMMARY_GAP", integer(&w.SemCacheMaxSummaryGap, -1, 1_000), "-1", guest,
			"most gaps of an answer that is given again unchecked, -1 for any"},
		{"SEM_CACHE_MAX_SUMMARY_CONFLICT", integer(&w.SemCacheMaxSummaryConflict, -1, 1_000), "-1", guest,
			"most conflicts of an answer that is given again unchecked, -1 for any"},
		{"ADAPTIVE_TUNING", boolean(&w.AdaptiveTuning), "true", guest, "whether use moves the thresholds of widening"},
		{"ADAPTIVE_STATS_PATH", path(&w.AdaptiveStatsPath), "${VAULT_ROOT}/.system/adaptive_stats.jsonl", guest,
			"`FILE` of figures, a row per search"},
		{"ADAPTIVE_MIN_RECALL", float(&w.AdaptiveMinRecall, 0, 1), "0.90", guest,
			"share of what is used that searches must have found"},
		{"ADAPTIVE_CANDIDATE_LOW_BASE", integer(&w.AdaptiveCandidateLowBase, 2, 6), "3", guest,
			"candidates below which a search widens, to begin with"},
		{"ADAPTIVE_FILE_BIAS_BASE", float(&w.AdaptiveFileBiasBase, 0.7, 0.9), "0.80", guest,
			"share of the candidates in one file from which on a search widens, to begin with"},
		{"COVERAGE_MIN_RATIO", float(&w.CoverageMinRatio, 0, 1), "0.90", guest, "share of a text that counts as read"},
		{"MARGINAL_GAIN_MIN", float(&w.MarginalGainMin, 0, 1), "0.02", guest,
			"evidence per token below which reading on is not worth it"},
		{"VAULT_SCAN_DEFAULT_CHUNK_LINES", integer(&w.VaultScanDefaultChunkLines, 1, 10_000), "80", guest,
			"lines of a piece that a scan of the vault reads"},
		{"VAULT_SCAN_MAX_CHUNK_LINES", integer(&w.VaultScanMaxChunkLines, 1, 10_000), "200", guest,
			"most lines of such a piece"},
		{"VAULT_MAX_CHARS", integer(&w.VaultMaxChars, 1, 1_000_000), "12000", guest,
			"most characters of a text of the vault in an answer"},
		{"VAULT_HISTORY_MAX_MB", integer(&w.VaultHistoryMaxMB, 1, 1_000_000), "512", guest,
			"megabytes kept of what was overwritten in the vault"},
		{"LOGIC_ROOT", path(&w.LogicRoot), "${WORKSPACE_ROOT}", guest,
			"`DIR` of the repository that questions on logic are about"},
		{"LOGIC_CODE_GLOBS", globList(&w.LogicGlobs.Code), strings.Join(globs.Code, ","), guest,
			"which files below LOGIC_ROOT are code"},
		{"LOGIC_SPEC_GLOBS", globList(&w.LogicGlobs.Specs), strings.Join(globs.Specs, ","), guest,
			"which are main specifications"},
		{"LOGIC_CHANGE_GLOBS", globList(&w.LogicGlobs.Changes), strings.Join(globs.Changes, ","), guest,
			"which are specifications of open changes"},
		{"LOGIC_QA", enum(&w.LogicQA, "on", "off"), "on", userOnly, "whether questions on logic are answered"},
		{"LOGIC_ANSWERER", enum(&w.LogicAnswerer, AnswererExtractive, AnswererChat), AnswererExtractive, userOnly,
			"what words the answers"},
		{"LOGIC_CHAT_URL", word(&w.LogicChatURL), "", userOnly,
			"`URL` of an OpenAI-style chat service, up to and with /v1; its key is LOGIC_CHAT_KEY in the environment"},
		{"LOGIC_CHAT_MODEL", word(&w.LogicChatModel), "", userOnly, "that service's name of the model"},
		{"STRATEGY_TIME_MS", integer(&w.StrategyTimeMS, 1, 600_000), "2000", guest,
			"milliseconds one strategy gets per query"},
		{"TOOLSETS", words(&w.Toolsets), "", userOnly,
			"tool groups to switch on, separated by commas; by what the workspace holds when not given"},
		{"READ_ONLY", boolean(&w.ReadOnly), "false", userOnly, "leave out every tool that writes"},
		{"RESULT_FORMAT", enum(&w.ResultForm, "both", "structured", "text"), "both", userOnly,
			"how an MCP result carries its JSON"},
		{"PLUGIN_PATH", paths(&w.PluginPath), "", userOnly, "folders searched for installed strategies"},
		{"SAGASU_CACHE_DIR", path(&w.CacheHome), "${CACHE}", userOnly, "`DIR` for index directories"},
	}
}

// rowOf returns a setting by its name, bound to w.
func rowOf(w *Workspace, name string) (row setting, known bool) {
	rows := settingsOf(w)
	i := slices.IndexFunc(rows, func(s setting) bool { return s.name == name })
	if i < 0 {
		return setting{}, false
	}
	return rows[i], true
}

// flag is the setting's name on a command line.
func (s setting) flag() string { return strings.ReplaceAll(s.key(), "_", "-") }

// key is the setting's name in a TOML file.
func (s setting) key() string { return strings.ToLower(s.name) }

// Value returns the effective value of a setting such as "RERANK_URL", "" for an unknown one.
func (w *Workspace) Value(name string) string {
	if row, known := rowOf(w, name); known {
		return row.value.show()
	}
	return ""
}

// Effective is the value of one setting and where it came from.
type Effective struct {
	Name   string `json:"name"`
	Value  string `json:"value"`
	Origin string `json:"origin"`
}

// Effective lists every setting in the order of the table.
func (w *Workspace) Effective() []Effective {
	var lines []Effective
	for _, s := range settingsOf(w) {
		lines = append(lines, Effective{Name: s.name, Value: s.value.show(), Origin: w.Origin(s.name)})
	}
	return lines
}
