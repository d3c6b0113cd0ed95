package main

import "github.com/sagasu-search/sagasu/sdk/serve"

func main() { serve.Strategy(New()) }
