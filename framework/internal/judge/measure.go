package judge

// What tells a weight or a size besides a number with its unit.
var (
	weightWords = cues("重さ", "重量", "質量", "重く", "重い", "軽", "weigh", "heavy", "heavier", "light")
	sizeWords   = cues("大きさ", "寸法", "サイズ", "高さ", "幅", "奥行", "長さ", "大きい", "大きな", "小さ", "高い", "低い", "広い", "階建", "大の", "size", "dimension", "height", "width", "depth", "length", "wide", "tall", "deep", "large", "small", " big", " high", "square ", "acre")
)

func statesWeight(s *sentence) bool { return s.counted("mass") || s.has(weightWords) }

func statesSize(s *sentence) bool {
	return s.counted("length", "bytes", "volume") || s.has(sizeWords)
}

// counted reports whether a sentence states a quantity of one of some dimensions.
func (s *sentence) counted(dimensions ...string) bool {
	for _, q := range s.quantities() {
		for _, d := range dimensions {
			if q.unit.dimension == d {
				return true
			}
		}
	}
	return false
}
