import { styleText } from 'node:util'

type Style = Parameters<typeof styleText>[0]

/** The demo's terminal output; without colours if NO_COLOR is set or the stream is not a terminal. */
export interface Screen {
  title(text: string): void
  /** A numbered step, and what it is about. */
  step(title: string, about: string): void
  /** A request or a command, with its headers and body; a body that is not text is printed as JSON. */
  request(line: string, headers?: Record<string, string>, body?: unknown): void
  response(line: string, headers?: Record<string, string>, body?: unknown): void
  /** A table of names, values and their meaning. */
  rows(rows: readonly (readonly [name: string, value: string, meaning?: string])[]): void
  /** A check that passed. */
  passed(text: string): void
  note(text: string): void
  failure(text: string): void
  end(text: string): void
}

export function createScreen(stream: NodeJS.WriteStream): Screen {
  let steps = 0
  const styled = (style: Style, text: string) => styleText(style, text, { stream })
  let last: 'passed' | 'other' = 'other'
  const write = (text: string, kind: typeof last = 'other') => {
    stream.write(`${text}\n`)
    last = kind
  }
  const message = (mark: string, style: Style, line: string, headers = {}, body?: unknown) => {
    write(`\n   ${styled(style, `${mark} ${line}`)}`)
    for (const [name, value] of Object.entries(headers)) write(`     ${styled('dim', `${name}: ${value}`)}`)
    if (body === undefined) return
    write(indent(typeof body === 'string' ? body : formatJson(body, name => styled('cyan', name)), 5))
  }
  return {
    title: text => write(`\n${styled('bold', text)}`),
    step(title, about) {
      steps += 1
      write(`\n\n${styled(['bold', 'cyan'], `${steps}  ${title}`)}\n${indent(styled('dim', about), 3)}`)
    },
    request: (line, headers, body) => message(line.startsWith('$') ? ' ' : '→', 'bold', line, headers, body),
    response: (line, headers, body) => message('←', statusStyle(line), line, headers, body),
    rows(rows) {
      write('')
      const nameWidth = Math.max(...rows.map(([name]) => name.length)) + 2
      const valueWidth = Math.max(...rows.map(([, value]) => value.length)) + 2
      for (const [name, value, meaning] of rows) {
        const text = meaning === undefined ? value : value.padEnd(valueWidth) + styled('dim', meaning)
        write(`     ${styled('cyan', name.padEnd(nameWidth))}${text}`)
      }
    },
    passed: text => write(`${last === 'passed' ? '' : '\n'}   ${styled('green', '✓')} ${text}`, 'passed'),
    note: text => write(indent(styled('dim', text), 3)),
    failure: text => write(`\n   ${styled('red', `✗ ${text}`)}\n`),
    end: text => write(`\n\n${styled(['bold', 'green'], text)}\n`),
  }
}

/** The first and last characters of a long token. */
export function shorten(text: string): string {
  return text.length > 100 ? `${text.slice(0, 24)} … ${text.slice(-12)} (${text.length} characters)` : text
}

/** Indented JSON with styled names. Long strings such as tokens are shortened. */
function formatJson(json: unknown, style: (name: string) => string): string {
  const text = JSON.stringify(
    json,
    (_, value: unknown) => (typeof value === 'string' ? shorten(value) : value),
    2,
  )
  return text.replace(
    /^( *)("(?:[^"\\]|\\.)*")(?=:)/gm,
    (_, space: string, name: string) => space + style(name),
  )
}

function statusStyle(line: string): Style {
  return /^[45]/.test(line) ? 'yellow' : 'green'
}

function indent(text: string, columns: number): string {
  return text.replace(/^/gm, ' '.repeat(columns))
}
