import { appendFile, readFile, rename, writeFile } from 'node:fs/promises'
import { z } from 'zod'
import type { ReceivedEvent } from './received-event.ts'

/** More are forgotten, the oldest first. */
const eventsMax = 200

/** Rewriting only after as many again keeps an event's cost the same however many there were. */
const linesMax = 2 * eventsMax

/** The last events, in memory and, to survive a restart, one a line in a file. */
export class EventFile {
  readonly #path: string
  #events: ReceivedEvent[]
  #lines: number
  #writing: Promise<void> = Promise.resolve()

  private constructor(path: string, events: ReceivedEvent[]) {
    this.#path = path
    this.#events = events
    this.#lines = events.length
  }

  /** Lines that cannot be read, such as one cut short by a crash, are left out. */
  static async open(path: string): Promise<EventFile> {
    const text = await readFile(path, 'utf8').catch(emptyIfMissing)
    const file = new EventFile(path, text.split('\n').flatMap(readLine).slice(-eventsMax))
    await file.#rewrite()
    return file
  }

  get newestFirst(): ReceivedEvent[] {
    return this.#events.toReversed()
  }

  /** Resolves when the event is in the file. */
  add(event: ReceivedEvent): Promise<void> {
    this.#events = [...this.#events, event].slice(-eventsMax)
    const written = this.#writing.then(() => this.#write(event))
    this.#writing = written.catch(() => {})
    return written
  }

  /** Waits for what is being written. */
  async close(): Promise<void> {
    await this.#writing
  }

  async #write(event: ReceivedEvent): Promise<void> {
    if (this.#lines >= linesMax) return await this.#rewrite()
    await appendFile(this.#path, lineOf(event), { mode: 0o600 })
    this.#lines += 1
  }

  async #rewrite(): Promise<void> {
    const draft = `${this.#path}.new`
    const events = this.#events
    await writeFile(draft, events.map(lineOf).join(''), { mode: 0o600 })
    await rename(draft, this.#path)
    this.#lines = events.length
  }
}

const line = z.object({
  receivedAt: z.iso.datetime(),
  signature: z.enum(['valid', 'invalid']),
  headers: z.record(z.string(), z.string()),
  body: z.unknown(),
  raw: z.string(),
})

function readLine(text: string): ReceivedEvent[] {
  try {
    return [line.parse(JSON.parse(text))]
  } catch {
    return []
  }
}

function lineOf(event: ReceivedEvent): string {
  return `${JSON.stringify(event)}\n`
}

function emptyIfMissing(error: NodeJS.ErrnoException): string {
  if (error.code === 'ENOENT') return ''
  throw error
}
