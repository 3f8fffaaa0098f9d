package main

import (
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
)

func main() {
	request, err := http.NewRequest("GET", os.Getenv("SERVICE_URL")+"/verify/status?verificationId="+os.Getenv("VERIFICATION_ID"), nil)
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
		Status, Token string
		Over18        any
	}
	if err := json.NewDecoder(response.Body).Decode(&result); err != nil {
		log.Fatal(err)
	}
	fmt.Println(result.Status, result.Over18, result.Token)
}
