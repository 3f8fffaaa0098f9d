type SampleRequest = { webhookUrl: string | null; headers: Record<string, string>; body: string }

/** A shell command that sends the event to a receiver on this machine, with the path of the webhook URL. */
export function curlCommand({ webhookUrl, headers, body }: SampleRequest, port = 8080): string {
  const path = webhookUrl && URL.canParse(webhookUrl) ? new URL(webhookUrl).pathname : '/age-events'
  const options = Object.entries(headers).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`)
  const url = quoted(`http://localhost:${port}${path}`)
  return [`curl -i ${url}`, ...options, `--data-raw ${quoted(body)}`].join(' \\\n  ')
}

/** One word of a POSIX shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}
