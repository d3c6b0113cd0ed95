package testbed

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/sagasu-search/sagasu/framework/internal/eval"
	"github.com/sagasu-search/sagasu/framework/internal/fusion"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
	"github.com/sagasu-search/sagasu/sdk"
)

// Variant is one way to search: which strategies, how they are fused, and which figures are changed.
type Variant struct {
	strategies []string
	fusion     fusion.Method
	values     eval.Setting
}

func (v Variant) with(s eval.Setting) Variant {
	values := maps.Clone(v.values)
	maps.Copy(values, s)
	v.values = values
	return v
}

// parameters returns the changed parameters of one strategy.
func (v Variant) parameters(strategy string) map[string]any {
	out := map[string]any{}
	for name, value := range v.values {
		if of, parameter, ok := strings.Cut(name, "."); ok && of == strategy && parameter != "weight" {
			out[parameter] = value
		}
	}
	return out
}

// Variant reads a variant from a command line: strategies, none for all that are on; a method of fusion, "" for the
// workspace's; and figures in the form NAME=VALUE. An error lists the alternatives.
func (b *Testbed) Variant(strategies []string, method string, set []string) (Variant, error) {
	v := Variant{fusion: b.settings.Method, values: eval.Setting{}}
	if err := b.readValues(&v, set); err != nil {
		return v, err
	}
	for _, name := range strategies {
		if _, err := b.describe(name); err != nil {
			return v, err
		}
	}
	for _, d := range b.descriptions {
		chosen := slices.Contains(strategies, d.Name)
		if chosen && b.weight(d, v) == 0 {
			return v, fmt.Errorf("strategy %s has the weight 0: give it another with --set %s%s=VALUE",
				d.Name, d.Name, weightSuffix)
		}
		if chosen || len(strategies) == 0 && b.weight(d, v) > 0 {
			v.strategies = append(v.strategies, d.Name)
		}
	}
	if method == "" {
		return v, nil
	}
	var err error
	if v.fusion, err = fusion.ParseMethod(method); err != nil {
		return v, toolset.Unknown("fusion", method,
			[]string{string(fusion.Weighted), string(fusion.RRF), string(fusion.CombMNZ)})
	}
	return v, nil
}

// describe returns the description of a strategy, or an error that lists the strategies.
func (b *Testbed) describe(name string) (sdk.Description, error) {
	var names []string
	for _, d := range b.descriptions {
		if d.Name == name {
			return d, nil
		}
		names = append(names, d.Name)
	}
	return sdk.Description{}, toolset.Unknown("strategy", name, names)
}

// weight returns a strategy's weight in fusion.
func (b *Testbed) weight(d sdk.Description, v Variant) float64 {
	if w, ok := v.values[d.Name+weightSuffix]; ok {
		return w
	}
	if w, ok := b.settings.Weights[d.Name]; ok {
		return w
	}
	return d.Weight
}

// retrieving returns the strategies that retrieve sections rather than only reorder or judge them.
func (b *Testbed) retrieving(strategies []string) []string {
	return slices.DeleteFunc(slices.Clone(strategies), func(name string) bool {
		d, _ := b.describe(name)
		return d.Stage == sdk.StageRerank || d.Stage == sdk.StageFeedback || d.Stage == sdk.StageJudge
	})
}
