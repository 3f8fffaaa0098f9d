import { STATUS_CODES } from 'node:http'
import { styleText } from 'node:util'
import type { ClientOptions } from '#clients/typescript/src/index.ts'

type Style = Parameters<typeof styleText>[0]

export type Screen = ReturnType<typeof createScreen>

/** The demo's terminal output; without colours if NO_COLOR is set or the stream is not a terminal. */
export function createScreen(stream: NodeJS.WriteStream) {
  let steps = 0
  let hasPassed = false
  const styled = (style: Style, text: string) => styleText(style, text, { stream })
  const write = (text: string, passed = false) => {
    stream.write(`${text}\n`)
    hasPassed = passed
  }
  const message = (style: Style, line: string, headers: Record<string, string>, body: unknown) => {
    write(`\n   ${styled(style, line)}`)
    for (const [name, value] of Object.entries(headers)) write(`     ${styled('dim', `${name}: ${value}`)}`)
    if (body === undefined) return
    write(indent(typeof body === 'string' ? body : formatJson(body, name => styled('cyan', name)), 5))
  }
  return {
    title: (text: string) => write(`\n${styled('bold', text)}`),
    /** A numbered step, and what it is about. */
    step(title: string, about: string) {
      steps += 1
      write(`\n\n${styled(['bold', 'cyan'], `${steps}  ${title}`)}\n${indent(styled('dim', about), 3)}`)
    },
    command: (line: string) => message('bold', `  $ ${line}`, {}, undefined),
    /** A body that is not text is printed as JSON. */
    request: (line: string, headers: Record<string, string>, body?: unknown) =>
      message('bold', `→ ${line}`, headers, body),
    response: (status: number, ms: number, headers: Record<string, string>, body: unknown) =>
      message(
        status < 400 ? 'green' : 'yellow',
        `← ${status} ${STATUS_CODES[status]}  ${Math.round(ms)} ms`,
        headers,
        body,
      ),
    /** A table of names, values and their meaning. */
    rows(rows: readonly (readonly [name: string, value: string, meaning?: string])[]) {
      const [nameWidth, valueWidth] = [0, 1].map(i => Math.max(...rows.map(row => row[i]!.length)) + 2)
      const lines = rows.map(([name, value, meaning]) => {
        const text = meaning === undefined ? value : value.padEnd(valueWidth!) + styled('dim', meaning)
        return `\n     ${styled('cyan', name.padEnd(nameWidth!))}${text}`
      })
      write(lines.join(''))
    },
    /** A check that passed. */
    passed: (text: string) => write(`${hasPassed ? '' : '\n'}   ${styled('green', '✓')} ${text}`, true),
    note: (text: string) => write(indent(styled('dim', text), 3)),
    failure: (text: string) => write(`\n   ${styled('red', `✗ ${text}`)}\n`),
    end: (text: string) => write(`\n\n${styled(['bold', 'green'], text)}\n`),
  }
}

const responseHeaders = [
  'x-request-id',
  'x-ratelimit-limit',
  'x-ratelimit-remaining',
  'location',
  'retry-after',
]

/** A `fetch` that prints requests, and responses with their JSON. */
export function printingFetch(screen: Screen): NonNullable<ClientOptions['fetch']> {
  return async (url, init) => {
    const { pathname, search, host } = new URL(url)
    const headers = Object.entries(init.headers ?? {}).map(([name, value]) => [
      name,
      // A key in a terminal recording is as sensitive as anywhere else.
      name === 'x-tenant-api-key' ? shorten(value, 12) : value,
    ])
    const body = typeof init.body === 'string' ? (parseJson(init.body) ?? init.body) : undefined
    const line = `${init.method ?? 'GET'} ${pathname}${search}`
    screen.request(line, { host, ...Object.fromEntries(headers) }, body)
    const begin = performance.now()
    const response = await fetch(url, init)
    const json = parseJson(await response.clone().text())
    const shown = [...response.headers].filter(([name]) => responseHeaders.includes(name))
    screen.response(response.status, performance.now() - begin, Object.fromEntries(shown), json)
    return response
  }
}

/** The first characters of a secret. */
export function shorten(secret: string, length: number): string {
  return `${secret.slice(0, length)}…`
}

/** The first and last characters of a long token. */
export function shortenToken(text: string): string {
  return text.length > 100 ? `${text.slice(0, 24)} … ${text.slice(-12)} (${text.length} characters)` : text
}

/** Undefined if it is not JSON. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Indented JSON with styled names and short tokens. */
function formatJson(json: unknown, style: (name: string) => string): string {
  const shortened = (_: string, value: unknown) => (typeof value === 'string' ? shortenToken(value) : value)
  return JSON.stringify(json, shortened, 2).replace(
    /^( *)("(?:[^"\\]|\\.)*")(?=:)/gm,
    (_, space: string, name: string) => space + style(name),
  )
}

function indent(text: string, columns: number): string {
  return text.replace(/^/gm, ' '.repeat(columns))
}
