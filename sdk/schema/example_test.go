package schema_test

import (
	"encoding/json"
	"fmt"

	"github.com/sagasu-search/sagasu/sdk/schema"
)

func ExampleAskLogicQA() {
	var input struct{ Required []string }
	tool := schema.AskLogicQA()
	err := json.Unmarshal(tool.Input, &input)
	fmt.Println(tool.Name, input.Required, err)
	// Output: ask_logic_qa [question evidence] <nil>
}
