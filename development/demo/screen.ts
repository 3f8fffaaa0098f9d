import { STATUS_CODES } from 'node:http'
import { styleText } from 'node:util'
import { parseJson } from '#clients/typescript/src/json.ts'

type Style = Parameters<typeof styleText>[0]

export type Screen = ReturnType<typeof createScreen>

/** The demo's terminal output; without colours if NO_COLOR is set or the stream is not a terminal. */
export function createScreen(stream: NodeJS.WriteStream) {
  let steps = 0
  const write = (style: Style, columns: number, text: string) =>
    void stream.write(`${indent(styleText(style, text, { stream }), columns)}\n`)
  return {
    /** A numbered step, and what it is about. */
    step(title: string, about: string) {
      steps += 1
      write(['bold', 'cyan'], 0, `\n${steps}  ${title}`)
      write('dim', 3, about)
    },
    /** A command, a request or a response, with what it contains. */
    message(style: Style, line: string, headers: Record<string, string> = {}, body?: unknown) {
      write(style, 3, line)
      for (const [name, value] of Object.entries(headers)) write('dim', 5, `${name}: ${value}`)
      if (body !== undefined) write('reset', 5, JSON.stringify(body, shortened, 2))
    },
    /** A check that passed. */
    passed: (text: string) => write('green', 3, `✓ ${text}`),
    note: (text: string) => write('dim', 3, text),
    failure: (text: string) => write('red', 3, `✗ ${text}`),
    end: (text: string) => write(['bold', 'green'], 0, `\n${text}\n`),
  }
}

const responseHeaders = ['x-request-id', 'x-ratelimit-remaining', 'location', 'retry-after']

/** A `fetch` that prints requests, and responses with their JSON. */
export function printingFetch(screen: Screen): (url: string, init: RequestInit) => Promise<Response> {
  return async (url, init) => {
    const { pathname, search } = new URL(url)
    const headers = Object.fromEntries(Object.entries(init.headers ?? {}).map(hideKey))
    const body = typeof init.body === 'string' ? (parseJson(init.body) ?? init.body) : undefined
    screen.message('bold', `→ ${init.method ?? 'GET'} ${pathname}${search}`, headers, body)
    const begin = performance.now()
    const response = await fetch(url, init)
    const { status } = response
    const line = `← ${status} ${STATUS_CODES[status]}  ${Math.round(performance.now() - begin)} ms`
    const shown = [...response.headers].filter(([name]) => responseHeaders.includes(name))
    const json = parseJson(await response.clone().text())
    screen.message(status < 400 ? 'green' : 'yellow', line, Object.fromEntries(shown), json)
    return response
  }
}

/** A key in a terminal recording is as sensitive as anywhere else. */
function hideKey([name, value]: [string, string]): [string, string] {
  return [name, name === 'x-tenant-api-key' ? `${value.slice(0, 12)}…` : value]
}

/** The beginning of a secret, and the first and last characters of a token. */
function shortened(name: string, value: unknown): unknown {
  if (typeof value !== 'string') return value
  if (name === 'apiKey' || name === 'webhookSecret') return `${value.slice(0, 12)}…`
  return value.length > 100 ? `${value.slice(0, 24)} … ${value.slice(-12)}` : value
}

function indent(text: string, columns: number): string {
  return text.replace(/^/gm, ' '.repeat(columns))
}
