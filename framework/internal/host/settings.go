package host

import "time"

// Settings are the settings of strategies' processes.
type Settings struct {
	TimeMS      int      `setting:"STRATEGY_TIME_MS" guest:"" min:"1" max:"600000" default:"2000" doc:"milliseconds one strategy gets per query"`
	JudgeTimeMS int      `setting:"JUDGE_TIME_MS" guest:"" min:"1" max:"600000" default:"20000" doc:"milliseconds a judge gets per query, within the search's own time"`
	PluginPath  []string `setting:"PLUGIN_PATH" kind:"path" doc:"folders searched for installed strategies"`
}

// Time returns the time that one strategy gets per query.
func (s *Settings) Time() time.Duration { return time.Duration(s.TimeMS) * time.Millisecond }

// JudgeTime returns the time that a judge gets per query.
func (s *Settings) JudgeTime() time.Duration { return time.Duration(s.JudgeTimeMS) * time.Millisecond }
