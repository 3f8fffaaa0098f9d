package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"time"
)

// Prints the verdict on each token of the standard input, in place of the program.
func init() {
	if len(os.Args) < 2 || os.Args[1] != "vectors" {
		return
	}
	var input struct {
		Vectors []struct {
			Token, Issuer, Audience string
			Now                     int64
			Responses               map[string]string
		}
	}
	exitOn(json.NewDecoder(os.Stdin).Decode(&input))
	for _, vector := range input.Vectors {
		adult, err := tokenVerifier{
			vector.Issuer,
			vector.Audience,
			func() time.Time { return time.Unix(vector.Now, 0) },
			func(url string) ([]byte, error) {
				if body, found := vector.Responses[url]; found {
					return []byte(body), nil
				}
				return nil, errors.New("not found")
			},
		}.isAdult(vector.Token)
		if err != nil {
			fmt.Println("error")
		} else {
			fmt.Println(adult)
		}
	}
	os.Exit(0)
}
