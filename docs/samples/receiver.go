package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"regexp"
	"strings"
	"sync"
	"time"
)

var (
	secrets  = strings.Split(os.Getenv("WEBHOOK_SECRETS"), ",")
	isSecret = regexp.MustCompile(`^whsec_[\w-]+$`).MatchString
	stored   sync.Map // In production: a table with a unique key.
)

func main() {
	if os.Getenv("SERVICE_URL") == "" || os.Getenv("API_KEY") == "" || os.Getenv("PORT") == "" {
		log.Fatal("Set SERVICE_URL, API_KEY and PORT")
	}
	for i := range secrets {
		secrets[i] = strings.TrimSpace(secrets[i])
		if !isSecret(secrets[i]) {
			log.Fatal("Set WEBHOOK_SECRETS to webhook secrets, separated by commas, without quotes")
		}
	}
	log.Fatal(http.ListenAndServe("127.0.0.1:"+os.Getenv("PORT"), http.HandlerFunc(receive)))
}

// Stores an authentic event, once, and responds at once.
func receive(response http.ResponseWriter, request *http.Request) {
	body, err := io.ReadAll(http.MaxBytesReader(response, request.Body, 64<<10))
	if err != nil || !isSigned(body, request.Header.Get("X-Webhook-Signature")) {
		response.WriteHeader(http.StatusUnauthorized)
		return
	}
	var message struct {
		Event     string
		Data      struct{ VerificationId string }
		Timestamp time.Time
	}
	if err := json.Unmarshal(body, &message); err != nil {
		response.WriteHeader(http.StatusBadRequest)
		return
	}
	if message.Event == "verification.completed" && time.Since(message.Timestamp) < 24*time.Hour {
		if _, known := stored.LoadOrStore(message.Data.VerificationId, true); !known {
			go decide(message.Data.VerificationId) // In production: a job that is retried.
		}
	}
	response.WriteHeader(http.StatusNoContent)
}

func isSigned(body []byte, signature string) bool {
	given, _ := hex.DecodeString(signature)
	for _, secret := range secrets {
		mac := hmac.New(sha256.New, []byte(secret))
		mac.Write(body)
		if hmac.Equal(mac.Sum(nil), given) {
			return true
		}
	}
	return false
}

// Approved does not mean 18 or over: only over18 decides.
func decide(verificationId string) {
	request, _ := http.NewRequest("GET", os.Getenv("SERVICE_URL")+"/verify/status?verificationId="+verificationId, nil)
	request.Header.Set("x-tenant-api-key", os.Getenv("API_KEY"))
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		log.Print(err)
		return
	}
	defer response.Body.Close()
	var result struct{ Over18 bool }
	if err := json.NewDecoder(response.Body).Decode(&result); err != nil || response.StatusCode != http.StatusOK {
		log.Print(verificationId, response.Status, err)
		return
	}
	decision := map[bool]string{true: "admit", false: "refuse"}[result.Over18]
	fmt.Println(verificationId, decision)
}
