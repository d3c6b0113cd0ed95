package embed_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"

	"github.com/sagasu-search/sagasu/sdk/embed"
)

// A client uses any service with OpenAI's API.
func ExampleClient() {
	service := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.WriteString(w, `{"data":[{"index":1,"embedding":[0,1]},{"index":0,"embedding":[1,0]}]}`)
	}))
	defer service.Close()
	client, err := embed.New(embed.Options{URL: service.URL + "/v1", Model: "small"})
	if err != nil {
		panic(err)
	}
	defer client.Close()
	fmt.Println(client.Embed(context.Background(), []string{"first", "second"}))
	// Output: [[1 0] [0 1]] <nil>
}

// lengths is a provider that needs no service.
type lengths struct{}

func (lengths) ID() string { return "lengths" }

func (lengths) Embed(_ context.Context, texts []string) (out [][]float32, err error) {
	for _, t := range texts {
		fmt.Println("embed", t)
		out = append(out, []float32{float32(len(t))})
	}
	return out, nil
}

// A cache asks its provider only for new texts.
func ExampleCache() {
	dir, err := os.MkdirTemp("", "sagasu-example-")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	cache, err := embed.NewCache(dir, lengths{})
	if err != nil {
		panic(err)
	}
	defer cache.Close()
	fmt.Println(cache.Embed(context.Background(), []string{"one"}))
	fmt.Println(cache.Embed(context.Background(), []string{"one", "three"}))
	// Output:
	// embed one
	// [[3]] <nil>
	// embed three
	// [[3] [5]] <nil>
}
