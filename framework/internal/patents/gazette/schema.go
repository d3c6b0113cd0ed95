package gazette

// kind is what the root element says of a document.
type kind struct {
	country string
	code    string // kind code where the document itself names none
	grant   bool
}

// kinds are the root elements of publications: USPTO since 2001 (PATDOC and PAP until 2004, then WIPO ST.36), JPO
// gazettes by ST.36 until 2021 and by ST.96 since.
var kinds = map[string]kind{
	"us-patent-application":             {"US", "", false},
	"us-patent-grant":                   {"US", "", true},
	"patent-application-publication":    {"US", "A1", false},
	"patdoc":                            {"US", "", true},
	"jp-official-gazette":               {"JP", "", false},
	"unexaminedpatentpublication":       {"JP", "A", false},
	"internationalpatentpublication":    {"JP", "A", false},
	"registeredpatentpublication":       {"JP", "", true},
	"registeredutilitymodelpublication": {"JP", "U", true},
}

// places say for which field of a record an element is meant, by its name, or with the name of the element that it
// lies in. An element for "" is passed over.
var places = map[string]string{
	// ST.36
	"publication-reference/document-id":         "pub_id",
	"application-reference/document-id":         "app_id",
	"invention-title":                           "title",
	"abstract":                                  "abst",
	"claims/claim":                              "claim",
	"description":                               "desc",
	"classification-ipcr":                       "ipc",
	"classification-ipc/main-classification":    "ipc",
	"classification-ipc/further-classification": "ipc",
	"classification-ipc/main-clsf":              "ipc",
	"classification-ipc/further-clsf":           "ipc",
	"classification-national/main-clsf":         "fi",
	"classification-national/further-clsf":      "fi",
	"f-term":                                    "ft",
	"main-cpc/classification-cpc":               "cpc",
	"further-cpc/classification-cpc":            "cpc",
	"us-applicants/us-applicant":                "applicants",
	"applicants-agents/applicant":               "applicants",
	"applicants/applicant":                      "applicants or inventors",
	"assignees/assignee":                        "assignees",
	"inventor":                                  "inventors",
	"patcit":                                    "citations",
	"priority-claims/priority-claim":            "priorities",
	"us-provisional-application/document-id":    "priorities",
	"parent-doc/document-id":                    "priorities",

	// applications of the USPTO until 2004
	"subdoc-bibliographic-information/document-id": "pub_id",
	"domestic-filing-data":                         "app_id",
	"title-of-invention":                           "title",
	"subdoc-abstract":                              "abst",
	"subdoc-claims/claim":                          "claim",
	"subdoc-description":                           "desc",
	"classification-ipc-primary/ipc":               "ipc",
	"classification-ipc-secondary/ipc":             "ipc",
	"inventors/first-named-inventor":               "inventors",
	"subdoc-bibliographic-information/assignee":    "assignees",
	"foreign-priority-data":                        "priorities",
	"non-provisional-of-provisional/document-id":   "priorities",
	"parent/document-id":                           "priorities",

	// grants of the USPTO until 2004
	"sdobi/b100":     "pub_id",
	"sdobi/b200":     "app_id",
	"b500/b540":      "title",
	"sdoab":          "abst",
	"cl/clm":         "claim",
	"sdode":          "desc",
	"b510/b511":      "ipc",
	"b510/b512":      "ipc",
	"b720/b721":      "inventors",
	"b730/b731":      "assignees",
	"b561/pcit":      "citations",
	"sdobi/b300":     "priorities",
	"b600/b680us":    "priorities",
	"parent-us/pdoc": "priorities",

	// ST.96 of the JPO
	"patentpublicationidentification":                      "pub_id",
	"plainlanguagedesignationtext":                         "kind",
	"applicationidentification":                            "app_id",
	"inventiontitle":                                       "title",
	"ipcclassification/mainclassification":                 "ipc",
	"ipcclassification/furtherclassification":              "ipc",
	"nationalclassification/mainnationalclassification":    "fi",
	"nationalclassification/furthernationalclassification": "fi",
	"fterminformation":                                     "ft",
	"applicantregisteredpractitionerbag/applicant":         "applicants",
	"patentcitation":                                       "citations",
	"priorityclaim":                                        "priorities",
	"internationalpublishingdata":                          "",
}

// Names of the elements that hold the parts of a number.
var (
	numbersOf   = []string{"doc-number", "dnum", "publicationnumber", "applicationnumbertext"}
	kindsOf     = []string{"kind", "kind-code", "b130", "patentdocumentkindcode"}
	datesOf     = []string{"date", "document-date", "filing-date", "publicationdate", "filingdate"}
	countriesOf = []string{"country", "country-code", "ctry", "ipofficecode"}
)

// blocks are the elements that stand on lines of their own, cells those that are parted from the next by a space.
var (
	blocks = map[string]bool{"p": true, "heading": true, "claim-text": true, "li": true, "row": true, "br": true,
		"description-of-drawings": true, "paragraph": true, "para": true, "h": true, "claimtext": true}
	cells = map[string]bool{"entry": true}
	// numerals number what they stand before and are no text of it.
	numerals = map[string]bool{"claimnumber": true, "number": true}
)

// mark stands for what has no text to search.
type mark struct {
	english  string
	japanese string // followed by its number; "" where it has none
	whole    bool   // nothing in it is text
}

var marks = map[string]mark{
	"math": {"formula", "数", true}, "maths": {"formula", "数", true}, "math-us": {"formula", "", true},
	"chemistry": {"chemical formula", "化", true}, "chem-us": {"chemical formula", "", true},
	"chemicalformulae": {"chemical formula", "化", true},
	"tables":           {"table", "表", false}, "table": {"table", "表", false}, "table-us": {"table", "", false},
	"img": {"image", "", true}, "image": {"image", "", true}, "emi": {"image", "", true},
}

// headings are what a Japanese description is printed with where the elements say the same.
var headings = map[string]string{
	"technical-field": "技術分野", "technicalfield": "技術分野",
	"background-art": "背景技術", "backgroundart": "背景技術",
	"citation-list": "先行技術文献", "patent-literature": "特許文献", "non-patent-literature": "非特許文献",
	"summary-of-invention": "発明の概要", "disclosure": "発明の開示", "inventionsummary": "発明の概要",
	"tech-problem": "発明が解決しようとする課題", "technicalproblem": "発明が解決しようとする課題",
	"tech-solution": "課題を解決するための手段", "technicalsolution": "課題を解決するための手段",
	"advantageous-effects": "発明の効果", "advantageouseffects": "発明の効果",
	"description-of-drawings": "図面の簡単な説明", "drawingdescription": "図面の簡単な説明",
	"description-of-embodiments": "発明を実施するための形態", "embodimentdescription": "発明を実施するための形態",
	"best-mode": "発明を実施するための最良の形態", "bestmode": "発明を実施するための最良の形態",
	"embodiments-example": "実施例", "industrial-applicability": "産業上の利用可能性",
	"industrialapplicability": "産業上の利用可能性", "reference-signs-list": "符号の説明",
	"referencesignbag": "符号の説明",
}
