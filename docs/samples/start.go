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
	request, err := http.NewRequest("POST", os.Getenv("SERVICE_URL")+"/verify/start", strings.NewReader("{}"))
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
		VerificationID, SessionURL string
	}
	if err := json.NewDecoder(response.Body).Decode(&result); err != nil {
		log.Fatal(err)
	}
	fmt.Println(result.VerificationID, result.SessionURL)
}
