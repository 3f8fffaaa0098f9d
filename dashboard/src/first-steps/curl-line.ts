/** A request that starts a verification, ready for a terminal. */
export function curlLine(baseUrl: string, apiKey: string): string {
  return [
    `curl -X POST ${baseUrl}/verify/start`,
    `-H 'x-tenant-api-key: ${apiKey}'`,
    `-H 'content-type: application/json'`,
    `-d '{}'`,
  ].join(' \\\n  ')
}
