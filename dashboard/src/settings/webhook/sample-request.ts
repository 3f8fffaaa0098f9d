interface SampleRequest {
  webhookUrl: string | null
  headers: Record<string, string>
  body: string
}

/** A delivery as it arrives, as HTTP/1.1. */
export function httpRequest({ webhookUrl, headers, body }: SampleRequest): string {
  const host = webhookUrl && URL.canParse(webhookUrl) ? new URL(webhookUrl).host : 'api.example.com'
  const lines = [
    `POST ${pathOf(webhookUrl)} HTTP/1.1`,
    `Host: ${host}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
  ]
  return `${lines.join('\n')}\n\n${body}`
}

/** A shell command that sends it to a receiver on this machine. */
export function curlCommand({ webhookUrl, headers, body }: SampleRequest, port = 8080): string {
  const options = Object.entries(headers).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`)
  const url = quoted(`http://localhost:${port}${pathOf(webhookUrl)}`)
  return [`curl -i ${url}`, ...options, `--data-raw ${quoted(body)}`].join(' \\\n  ')
}

/** One word of a POSIX shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}

/** The path of the webhook URL; one for examples if there is none. */
function pathOf(webhookUrl: string | null): string {
  return webhookUrl && URL.canParse(webhookUrl) ? new URL(webhookUrl).pathname : '/age-events'
}
