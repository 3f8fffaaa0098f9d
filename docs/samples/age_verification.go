// Start an age verification, wait for its result, receive its event, check its token: go run age_verification.go
// Needs Go 1.19 or newer, and no packages. Reads its settings from the environment.
package main

import (
	"bytes"
	"compress/zlib"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"math/big"
	"net/http"
	"net/url"
	"os"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"
)

func main() {
	log.SetFlags(0)
	args := append(os.Args[1:], "", "")
	switch command, argument := args[0], args[1]; command {
	case "start":
		started, err := call("POST", "/verify/start", object{})
		exitOn(err)
		fmt.Println(started["verificationId"], started["sessionUrl"])
	case "wait":
		result, err := waitForCompletion(argument)
		exitOn(err)
		fmt.Println(result["status"], result["over18"], result["token"])
	case "validate":
		verdict, err := call("POST", "/tokens/validate", object{"token": argument})
		exitOn(err)
		fmt.Println(verdict["valid"], verdict["reason"])
	case "verify":
		adult, err := tokenVerifier{setting("SERVICE_URL"), setting("TENANT_ID"), time.Now, fetch}.isAdult(argument)
		exitOn(err)
		fmt.Println(adult)
	case "receive":
		serveEvents()
	default:
		log.Fatal("Use start, wait VERIFICATION_ID, validate TOKEN, verify TOKEN or receive")
	}
}

// With exact names: a struct would accept fields of other cases, too.
type object = map[string]any

func setting(name string) string {
	value := os.Getenv(name)
	if value == "" {
		log.Fatal("Set " + name)
	}
	return value
}

func exitOn(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

// ---- The tenant API

// A redirect would take the key elsewhere.
var client = &http.Client{Timeout: 40 * time.Second, CheckRedirect: func(*http.Request, []*http.Request) error {
	return http.ErrUseLastResponse
}}

// What failed for now, and may be tried again.
type temporaryError struct {
	error
	retryAfter time.Duration
}

// Returns the response of the tenant API, or what it says is wrong.
func call(method, path string, input object) (object, error) {
	var body []byte // None for a GET.
	if input != nil {
		body, _ = json.Marshal(input)
	}
	request, err := http.NewRequest(method, setting("SERVICE_URL")+path, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	request.Header.Set("x-tenant-api-key", setting("API_KEY"))
	request.Header.Set("content-type", "application/json")
	response, err := client.Do(request)
	if err != nil {
		return nil, temporaryError{err, 3 * time.Second}
	}
	defer response.Body.Close()
	var result object
	err = json.NewDecoder(response.Body).Decode(&result)
	if response.StatusCode < 300 && err == nil {
		return result, nil
	}
	err = fmt.Errorf("%d %v: %v", response.StatusCode, result["error"], result["message"])
	if response.StatusCode >= 400 && response.StatusCode != 429 && response.StatusCode < 500 {
		return nil, err
	}
	seconds, _ := strconv.Atoi(response.Header.Get("retry-after")) // 0 if it is a date.
	switch {
	case seconds < 1:
		seconds = 3
	case seconds > 60:
		seconds = 60
	}
	return nil, temporaryError{err, time.Duration(seconds) * time.Second}
}

// The status of this verification. An answer about another one, or of a proxy, is none.
func readStatus(verificationId, parameters string) (object, error) {
	result, err := call("GET", "/verify/status?verificationId="+url.QueryEscape(verificationId)+parameters, nil)
	if id, _ := result["verificationId"].(string); err == nil && !strings.EqualFold(id, verificationId) {
		return nil, temporaryError{errors.New("not an answer about this verification"), 3 * time.Second}
	}
	return result, err
}

// The service responds as soon as there is a result, or after 25 seconds.
func waitForCompletion(verificationId string) (object, error) {
	for deadline := time.Now().Add(15 * time.Minute); time.Now().Before(deadline); {
		result, err := readStatus(verificationId, "&wait=25")
		pause := time.Second
		if temporary := (temporaryError{}); errors.As(err, &temporary) {
			pause = temporary.retryAfter
		} else if _, completed := result["completedAt"].(string); completed || err != nil {
			return result, err
		}
		time.Sleep(pause)
	}
	return nil, errors.New("the verification is not completed yet")
}

// ---- Webhook events

var (
	secrets  = strings.Split(os.Getenv("WEBHOOK_SECRETS"), ",")
	isSecret = regexp.MustCompile(`^whsec_[\w-]+$`).MatchString
	stored   sync.Map // In production: a table with a unique key.
)

func serveEvents() {
	setting("SERVICE_URL")
	setting("API_KEY")
	for i := range secrets {
		secrets[i] = strings.TrimSpace(secrets[i])
		if !isSecret(secrets[i]) {
			log.Fatal("Set WEBHOOK_SECRETS to webhook secrets, separated by commas, without quotes")
		}
	}
	log.Fatal(http.ListenAndServe("127.0.0.1:"+setting("PORT"), http.HandlerFunc(receive)))
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
	result, err := readStatus(verificationId, "")
	if err != nil {
		log.Print(verificationId, " ", err)
		return
	}
	decision := map[bool]string{true: "admit", false: "refuse"}[result["over18"] == true]
	fmt.Println(verificationId, decision)
}

// ---- Tokens, offline

type tokenVerifier struct {
	issuer, audience string
	now              func() time.Time
	fetch            func(url string) ([]byte, error)
}

// An error means that the token is not authentic, or that it can't be known whether it was revoked: don't admit.
func (v tokenVerifier) isAdult(token string) (bool, error) {
	claims, err := v.readClaims(token, "JWT")
	if err != nil {
		return false, err
	}
	if claims["aud"] != v.audience {
		return false, errors.New("the token is of another tenant")
	}
	status, _ := claims["status"].(object)
	revoked, err := v.isRevoked(status["status_list"])
	return err == nil && !revoked && claims["over18"] == true, err
}

// In production, keep each list for its ttl.
func (v tokenVerifier) isRevoked(reference any) (bool, error) {
	place, _ := reference.(object)
	index, isNumber := place["idx"].(float64)
	uri, _ := place["uri"].(string)
	if !isNumber || index < 0 || index != float64(int(index)) || !strings.HasPrefix(uri, v.issuer+"/tokens/status-lists/") {
		return false, errors.New("the token has no status list of the issuer")
	}
	list, err := v.fetch(uri)
	if err != nil {
		return false, err
	}
	claims, err := v.readClaims(string(list), "statuslist+jwt")
	if err != nil {
		return false, err
	}
	statuses, _ := claims["status_list"].(object)
	encoded, _ := statuses["lst"].(string)
	compressed, err := decode(encoded)
	if err != nil || claims["sub"] != uri {
		return false, errors.New("the status list is another one")
	}
	inflating, err := zlib.NewReader(bytes.NewReader(compressed))
	if err != nil {
		return false, err
	}
	bits, err := io.ReadAll(io.LimitReader(inflating, 1<<20))
	if err != nil || int(index) >= len(bits)*8 {
		return false, errors.New("the status list is too short")
	}
	return bits[int(index)>>3]>>(int(index)&7)&1 == 1, nil
}

// The claims of a token that the issuer signed, and that has not expired.
func (v tokenVerifier) readClaims(token, typ string) (object, error) {
	parts := strings.Split(token, ".")
	if len(parts) != 3 {
		return nil, errors.New("not a token")
	}
	header, err := readObject(parts[0])
	if err != nil {
		return nil, err
	}
	// Never what the token asks for: ES256 only, and nothing that has to be understood.
	if _, critical := header["crit"]; critical || header["alg"] != "ES256" || header["typ"] != typ {
		return nil, errors.New("not a token of the type " + typ)
	}
	key, err := v.findKey(header["kid"])
	if err != nil {
		return nil, err
	}
	signature, err := decode(parts[2])
	digest := sha256.Sum256([]byte(parts[0] + "." + parts[1]))
	if err != nil || len(signature) != 64 || !ecdsa.Verify(key, digest[:], toInt(signature[:32]), toInt(signature[32:])) {
		return nil, errors.New("the signature is wrong")
	}
	claims, err := readObject(parts[1])
	if err != nil {
		return nil, err
	}
	if expiry, _ := claims["exp"].(float64); claims["iss"] != v.issuer || expiry <= float64(v.now().Unix()) {
		return nil, errors.New("the token has expired, or is of another issuer")
	}
	return claims, nil
}

// In production, keep the keys, and fetch them again for an unknown kid.
func (v tokenVerifier) findKey(kid any) (*ecdsa.PublicKey, error) {
	text, err := v.fetch(v.issuer + "/.well-known/jwks.json")
	if err != nil {
		return nil, err
	}
	var jwks struct {
		Keys []struct{ Kid, Crv, X, Y string }
	}
	if err := json.Unmarshal(text, &jwks); err != nil {
		return nil, err
	}
	for _, key := range jwks.Keys {
		x, _ := decode(key.X)
		y, _ := decode(key.Y)
		if key.Kid == kid && key.Crv == "P-256" {
			return &ecdsa.PublicKey{Curve: elliptic.P256(), X: toInt(x), Y: toInt(y)}, nil
		}
	}
	return nil, errors.New("the key is not published")
}

func readObject(part string) (result object, err error) {
	text, err := decode(part)
	if err == nil {
		err = json.Unmarshal(text, &result)
	}
	return result, err
}

// Accepts the one spelling that bytes have in base64url.
func decode(part string) ([]byte, error) {
	decoded, err := base64.RawURLEncoding.DecodeString(part)
	if err == nil && base64.RawURLEncoding.EncodeToString(decoded) != part {
		err = errors.New("another spelling of base64url")
	}
	return decoded, err
}

func toInt(bytes []byte) *big.Int {
	return new(big.Int).SetBytes(bytes)
}

func fetch(url string) ([]byte, error) {
	response, err := client.Get(url)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return nil, errors.New(url + ": " + response.Status)
	}
	return io.ReadAll(io.LimitReader(response.Body, 1<<20))
}
