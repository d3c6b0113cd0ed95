package gazette

import (
	"bytes"
	"encoding/xml"
	"strings"

	"github.com/sagasu-search/sagasu/sdk/x/lazyregexp"
)

// UnknownEntities is the field of a record that lists the entities of its document that stand in the texts by name, in
// square brackets, because what character they are is not known.
const UnknownEntities = "unknown_entities"

// declared is an entity that a document defines by itself.
var declared = lazyregexp.New(`<!ENTITY\s+([A-Za-z_][\w.-]*)\s+(?:"([^"<&%]*)"|'([^'<&%]*)')\s*>`)

// isoEntities are those of the entity sets of ISO 8879 and its technical supplement that HTML does not have and the
// document types of patent offices do: each name, and the character.
const isoEntities = `abreve ă Abreve Ă amacr ā Amacr Ā aogon ą Aogon Ą cacute ć Cacute Ć ccaron č Ccaron Č ccirc ĉ
cdot ċ dcaron ď Dcaron Ď dstrok đ Dstrok Đ ecaron ě Ecaron Ě edot ė emacr ē Emacr Ē eogon ę Eogon Ę gbreve ğ
Gbreve Ğ gcirc ĝ hstrok ħ Idot İ imacr ī Imacr Ī inodot ı lacute ĺ lcaron ľ lstrok ł Lstrok Ł nacute ń Nacute Ń
ncaron ň Ncaron Ň ncedil ņ odblac ő Odblac Ő omacr ō Omacr Ō racute ŕ rcaron ř Rcaron Ř sacute ś Sacute Ś scedil ş
Scedil Ş scirc ŝ tcaron ť tcedil ţ tstrok ŧ ubreve ŭ udblac ű Udblac Ű umacr ū Umacr Ū uogon ų uring ů Uring Ů
wcirc ŵ zacute ź Zacute Ź zcaron ž Zcaron Ž zdot ż Zdot Ż excl ! num # dollar $ percnt % lpar ( rpar ) ast * plus +
comma , hyphen ‐ period . sol / colon : semi ; equals = quest ? commat @ lsqb [ bsol \ rsqb ] lowbar _ lcub {
verbar | rcub } half ½ frac13 ⅓ frac23 ⅔ frac15 ⅕ frac25 ⅖ frac35 ⅗ frac45 ⅘ frac16 ⅙ frac56 ⅚ frac18 ⅛ frac38 ⅜
frac58 ⅝ frac78 ⅞ horbar ― dash ‐ nldr ‥ mldr … ldots … vellip ⋮ ctdot ⋯ caret ⁁ copysr ℗ rx ℞ incare ℅ ohm Ω
angst Å mho ℧ male ♂ female ♀ check ✓ cross ✗ star ☆ starf ★ squ □ square □ squf ▪ cir ○ utri △ dtri ▽ utrif ▴
dtrif ▾ ltri ◃ rtri ▹ ltrif ◂ rtrif ▸ phone ☎ sharp ♯ flat ♭ natur ♮ blank ␣ boxh ─ boxv │ block █ blk14 ░ blk12 ▒
blk34 ▓ uhblk ▀ lhblk ▄ marker ▮ lsquor ‚ ldquor „ rsquor ’ rdquor ” caron ˇ breve ˘ dot ˙ ring ˚ ogon ˛ dblac ˝
epsi ε epsiv ϵ thetav ϑ kappav ϰ phiv ϕ rhov ϱ sigmav ς gammad ϝ Gammad Ϝ ap ≈ ape ≊ esdot ≐ wedgeq ≙ thkap ≈ sime ≃
nsime ≄ les ⩽ ges ⩾ lE ≦ gE ≧ Lt ≪ Gt ≫ lap ⪅ gap ⪆ nlt ≮ ngt ≯ nle ≰ nge ≱ nequiv ≢ bottom ⊥ par ∥ parallel ∥
npar ∦ mid ∣ nmid ∤ mnplus ∓ compfn ∘ conint ∮ Verbar ‖ tprime ‴ iff ⇔ rarrw ↝ larrtl ↢ rarrtl ↣ lrarr2 ⇆ rlarr2 ⇄
lrhar2 ⇋ rlhar2 ⇌ lhard ↽ lharu ↼ rhard ⇁ rharu ⇀ nearr ↗ searr ↘ swarr ↙ nwarr ↖ map ↦ planck ℏ ell ℓ becaus ∵
lozf ⧫ setmn ∖ subne ⊊ supne ⊋ vprime ′ odot ⊙ ominus ⊖ osol ⊘ agr α Agr Α bgr β Bgr Β ggr γ Ggr Γ dgr δ Dgr Δ egr ε
Egr Ε zgr ζ Zgr Ζ eegr η EEgr Η thgr θ THgr Θ igr ι Igr Ι kgr κ Kgr Κ lgr λ Lgr Λ mgr μ Mgr Μ ngr ν Ngr Ν xgr ξ Xgr Ξ
ogr ο Ogr Ο pgr π Pgr Π rgr ρ Rgr Ρ sgr σ Sgr Σ sfgr ς tgr τ Tgr Τ ugr υ Ugr Υ phgr φ PHgr Φ khgr χ KHgr Χ psgr ψ
PSgr Ψ ohgr ω OHgr Ω`

// entitiesOf returns what the entities of a document stand for, and those of which it is not known.
func entitiesOf(record []byte) (known map[string]string, unknown []string) {
	known = map[string]string{}
	for _, m := range declared().FindAllSubmatch(record, -1) {
		known[string(m[1])] = string(m[2]) + string(m[3])
	}
	var iso map[string]string
	for rest := record; ; {
		at := bytes.IndexByte(rest, '&')
		if at < 0 {
			return known, unknown
		}
		rest = rest[at+1:]
		name := entityName(rest)
		if _, met := known[name]; met || name == "" || strings.Contains(" amp lt gt quot apos ", " "+name+" ") {
			continue
		}
		if char, ok := xml.HTMLEntity[name]; ok {
			known[name] = char
			continue
		}
		if iso == nil {
			iso = isoTable()
		}
		if char, ok := iso[name]; ok {
			known[name] = char
			continue
		}
		known[name] = "[" + name + "]"
		unknown = append(unknown, name)
	}
}

// entityName returns the name of the entity whose reference goes on with text; "" where it is none.
func entityName(text []byte) string {
	for i, c := range text[:min(len(text), 40)] {
		switch {
		case c == ';':
			return string(text[:i])
		case c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || i > 0 && (c >= '0' && c <= '9' || c == '.' || c == '-'):
		default:
			return ""
		}
	}
	return ""
}

func isoTable() map[string]string {
	table := map[string]string{"grave": "`", "emsp13": " ", "emsp14": " ", "numsp": " ", "puncsp": " ", "hairsp": " "}
	words := strings.Fields(isoEntities)
	for i := 0; i+1 < len(words); i += 2 {
		table[words[i]] = words[i+1]
	}
	return table
}
