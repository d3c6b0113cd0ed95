package laterank

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// Config are the strategy's parameters. Likenesses are in [0, 1]; the same
// surface is worth 1.
type Config struct {
	// Window is the length of a passage in bytes of normalised text.
	Window int `json:"window"`
	// Stem is the worth of the same stem.
	Stem float64 `json:"stem"`
	// Pairs is the worth of all character pairs of a Japanese word, wherever
	// they stand in the passage; a part of them is worth its part.
	Pairs float64 `json:"pairs"`
	// Heading is what the heading counts by itself when the query has no CJK
	// character, as a share of what the passage counts.
	Heading float64 `json:"heading"`
	// Dice scales the Dice coefficient of two words, which counts from DiceLeast on.
	Dice      float64 `json:"dice"`
	DiceLeast float64 `json:"dice_least"`
	// Learned scales the learned likeness of two words, which counts from
	// LearnedLeast on. 0 learns nothing.
	Learned      float64 `json:"learned"`
	LearnedLeast float64 `json:"learned_least"`
}

// defaults are the parameters without configuration.
var defaults = Config{Window: 192, Stem: 1, Pairs: 0.6, Heading: 0.25, Dice: 0.8, DiceLeast: 0.5, Learned: 0, LearnedLeast: 0.5}

const schema = `{"type":"object","additionalProperties":false,"properties":{
"window":{"type":"integer","minimum":16,"maximum":65536},
"stem":{"type":"number","minimum":0,"maximum":1},"pairs":{"type":"number","minimum":0,"maximum":1},
"heading":{"type":"number","minimum":0,"maximum":1},
"dice":{"type":"number","minimum":0,"maximum":1},"dice_least":{"type":"number","minimum":0,"maximum":1},
"learned":{"type":"number","minimum":0,"maximum":1},"learned_least":{"type":"number","minimum":0,"maximum":1}}}`

func parseConfig(data json.RawMessage) (Config, error) {
	c := defaults
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&c); err != nil {
		return defaults, fmt.Errorf("configuration of laterank: %w", err)
	}
	if c.Window < 16 || c.Window > 1<<16 {
		return defaults, fmt.Errorf("configuration of laterank: window %d is not between 16 and 65536", c.Window)
	}
	for _, x := range []float64{c.Stem, c.Pairs, c.Heading, c.Dice, c.DiceLeast, c.Learned, c.LearnedLeast} {
		if !(x >= 0 && x <= 1) {
			return defaults, fmt.Errorf("configuration of laterank: %v is not between 0 and 1", x)
		}
	}
	return c, nil
}
