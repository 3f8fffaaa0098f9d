import type { Call } from './languages.ts'

const key = '-H "x-tenant-api-key: $API_KEY"'

/** Commands for a POSIX shell. */
export function curlSamples(baseUrl: string): Record<Call, string> {
  return {
    start: `curl -sS -X POST "${baseUrl}/verify/start" \\
  ${key}
`,
    status: `curl -sS "${baseUrl}/verify/status?verificationId=$VERIFICATION_ID" \\
  ${key}
`,
    validate: `curl -sS "${baseUrl}/tokens/validate" \\
  ${key} \\
  -H 'content-type: application/json' \\
  -d "{\\"token\\":\\"$TOKEN\\"}"
`,
  }
}
