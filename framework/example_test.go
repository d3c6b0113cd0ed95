package framework_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"strings"

	"github.com/sagasu-search/sagasu/framework"
)

// A program opens a workspace, searches it and reads the best section. The strategies come from
// framework.Serve, the first line of main:
//
//	strategies := framework.Serve(normalized.Entry(), loose.Entry())
func Example() {
	ctx := context.Background()
	w, err := framework.Open(ctx, framework.Options{Dir: "../testdata/workspace", Strategies: strategies})
	if err != nil {
		log.Fatal(err)
	}
	defer w.Close()
	found, err := w.Find(ctx, framework.Query{Text: "保証の対象外になるのはどんなとき", Limit: 1})
	if err != nil {
		log.Fatal(err)
	}
	text, err := w.Read(ctx, found.Hits[0].Ref)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(found.Hits[0].Manual, found.Hits[0].Path, strings.Contains(text, "対象外"))
	// Output: aoba-nas 12-hosho.md true
}

func ExampleWorkspace_Call() {
	ctx := context.Background()
	w, err := framework.Open(ctx, framework.Options{Dir: "../testdata/workspace", Strategies: strategies})
	if err != nil {
		log.Fatal(err)
	}
	defer w.Close()
	result, err := w.Call(ctx, "manual_list", nil)
	if err != nil {
		log.Fatal(err)
	}
	var list struct {
		Items []struct {
			ManualID string `json:"manual_id"`
		}
	}
	if err := json.Unmarshal(result, &list); err != nil {
		log.Fatal(err)
	}
	for _, item := range list.Items {
		fmt.Println(item.ManualID)
	}
	// Output:
	// aoba-nas
	// ienomori-yakkan
	// minato-runbook
	// tsumugi-cli
}

func ExampleError() {
	ctx := context.Background()
	w, err := framework.Open(ctx, framework.Options{Dir: "../testdata/workspace", Strategies: strategies})
	if err != nil {
		log.Fatal(err)
	}
	defer w.Close()
	_, err = w.Read(ctx, framework.Ref{Manual: "aoba-nas", Path: "none.md"})
	if failed, ok := errors.AsType[*framework.Error](err); ok {
		fmt.Println(failed.Code)
	}
	// Output: not_found
}
