import type { Call } from './languages.ts'

/** With the standard library only. */
export function goSamples(baseUrl: string): Record<Call, string> {
  return {
    start: program({
      imports: ['strings'],
      request: `"POST", "${baseUrl}/verify/start", strings.NewReader("{}")`,
      result: ['VerificationID, SessionURL string'],
      printed: 'result.VerificationID, result.SessionURL',
    }),
    status: program({
      imports: [],
      request: `"GET", "${baseUrl}/verify/status?verificationId="+os.Getenv("VERIFICATION_ID"), nil`,
      result: ['Status, Token string', 'Over18        any'],
      printed: 'result.Status, result.Over18, result.Token',
    }),
    validate: program({
      imports: ['strings'],
      request: `"POST", "${baseUrl}/tokens/validate", strings.NewReader(\`{"token":"\`+os.Getenv("TOKEN")+\`"}\`)`,
      result: ['Valid  bool', 'Reason string'],
      printed: 'result.Valid, result.Reason',
    }),
  }
}

interface Program {
  imports: string[]
  /** The arguments of `http.NewRequest`. */
  request: string
  /** The fields of the response. */
  result: string[]
  printed: string
}

function program({ imports, request, result, printed }: Program): string {
  const packages = ['encoding/json', 'fmt', 'io', 'log', 'net/http', 'os', ...imports]
  return `package main

import (
${packages.map(name => `\t"${name}"\n`).join('')})

func main() {
	request, err := http.NewRequest(${request})
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
${result.map(field => `\t\t${field}\n`).join('')}	}
	if err := json.NewDecoder(response.Body).Decode(&result); err != nil {
		log.Fatal(err)
	}
	fmt.Println(${printed})
}
`
}
