/**
 * The status of the response, read from its bytes: for those that Node's strict parser rejects because of a later header,
 * and those that end within the headers. Undefined without a complete status line of a response that isn't informational.
 */
export function readStatus(bytes: Buffer): number | undefined {
  let text = bytes.toString('latin1')
  for (;;) {
    const status = statusLine.exec(text)?.[1]
    if (status === undefined || status === '101' || !status.startsWith('1')) {
      return status === undefined ? undefined : Number(status)
    }
    const end = headersEnd.exec(text)
    if (!end) return undefined
    text = text.slice(end.index + end[0].length)
  }
}

const statusLine = /^(?:\r?\n)*HTTP\/\d(?:\.\d)? +(\d{3})(?: [^\n]*)?\r?\n/
const headersEnd = /\n\r?\n/
