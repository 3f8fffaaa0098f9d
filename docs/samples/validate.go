package main

import (
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"strings"
)

func main() {
	request, err := http.NewRequest("POST", os.Getenv("SERVICE_URL")+"/tokens/validate", strings.NewReader(`{"token":"`+os.Getenv("TOKEN")+`"}`))
	if err != nil {
		log.Fatal(err)
	}
	request.Header.Set("x-tenant-api-key", os.Getenv("API_KEY"))
	request.Header.Set("content-type", "application/json")
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		log.Fatal(err)
	}
	defer response.Body.Close()
	if response.StatusCode >= 400 {
		body, _ := io.ReadAll(response.Body)
		log.Fatal(string(body))
	}
	var result struct {
		Valid  bool
		Reason string
	}
	if err := json.NewDecoder(response.Body).Decode(&result); err != nil {
		log.Fatal(err)
	}
	fmt.Println(result.Valid, result.Reason)
}
