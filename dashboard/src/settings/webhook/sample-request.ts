/** A shell command that sends the event to a URL. */
export function curlCommand(url: string, event: { headers: Record<string, string>; body: string }): string {
  const options = Object.entries(event.headers).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`)
  return [`curl -i ${quoted(url)}`, ...options, `--data-raw ${quoted(event.body)}`].join(' \\\n  ')
}

/** One word of a POSIX shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}
