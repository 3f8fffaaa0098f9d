import { styleText } from 'node:util'
import { paintJson } from './paint-json.ts'

type Style = Parameters<typeof styleText>[0]

/** What the demo writes; without colours where they are not wanted (NO_COLOR) or nobody can see them. */
export interface Screen {
  title(text: string): void
  /** A numbered part of the story, and what it is about. */
  part(title: string, about: string): void
  /** What was sent or typed: the line, and what belongs to it; a body that is no text is shown as JSON. */
  sent(line: string, headers?: Record<string, string>, body?: unknown): void
  /** What came back. */
  came(line: string, headers?: Record<string, string>, body?: unknown): void
  /** Names, values and what they mean. */
  rows(rows: readonly (readonly [name: string, value: string, meaning?: string])[]): void
  /** Something that was checked and found right. */
  right(text: string): void
  note(text: string): void
  failure(text: string): void
  end(text: string): void
}

export function createScreen(stream: NodeJS.WriteStream): Screen {
  let parts = 0
  const styled = (style: Style, text: string) => styleText(style, text, { stream })
  let last: 'right' | 'other' = 'other'
  const write = (text: string, kind: typeof last = 'other') => {
    stream.write(`${text}\n`)
    last = kind
  }
  const exchange = (mark: string, style: Style, line: string, headers = {}, body?: unknown) => {
    write(`\n   ${styled(style, `${mark} ${line}`)}`)
    for (const [name, value] of Object.entries(headers)) write(`     ${styled('dim', `${name}: ${value}`)}`)
    if (body === undefined) return
    write(indent(typeof body === 'string' ? body : paintJson(body, name => styled('cyan', name)), 5))
  }
  return {
    title: text => write(`\n${styled('bold', text)}`),
    part(title, about) {
      parts += 1
      write(`\n\n${styled(['bold', 'cyan'], `${parts}  ${title}`)}\n${indent(styled('dim', about), 3)}`)
    },
    sent: (line, headers, body) => exchange(line.startsWith('$') ? ' ' : '→', 'bold', line, headers, body),
    came: (line, headers, body) => exchange('←', statusStyle(line), line, headers, body),
    rows(rows) {
      write('')
      const nameWidth = Math.max(...rows.map(([name]) => name.length)) + 2
      const valueWidth = Math.max(...rows.map(([, value]) => value.length)) + 2
      for (const [name, value, meaning] of rows) {
        const told = meaning === undefined ? value : value.padEnd(valueWidth) + styled('dim', meaning)
        write(`     ${styled('cyan', name.padEnd(nameWidth))}${told}`)
      }
    },
    right: text => write(`${last === 'right' ? '' : '\n'}   ${styled('green', '✓')} ${text}`, 'right'),
    note: text => write(indent(styled('dim', text), 3)),
    failure: text => write(`\n   ${styled('red', `✗ ${text}`)}\n`),
    end: text => write(`\n\n${styled(['bold', 'green'], text)}\n`),
  }
}

function statusStyle(line: string): Style {
  return /^[45]/.test(line) ? 'yellow' : 'green'
}

function indent(text: string, columns: number): string {
  return text.replace(/^/gm, ' '.repeat(columns))
}
