import { type FileHandle, mkdir, open, readFile, rename, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'

/** Appends records; a record is on file once its promise has resolved. */
export interface Journal {
  append(record: unknown): Promise<void>
  close(): Promise<void>
}

/**
 * JSON lines, the newest record of a thing last, so that a change costs one line however many sessions there are.
 * `settle` gets all records that were on file and says which ones to go on with; the file is replaced by those
 * in one rename. A line that a kill left half written is dropped: nobody was told of it.
 */
export async function openJournal(path: string, settle: (records: unknown[]) => unknown[]): Promise<Journal> {
  const file = await openSettled(path, settle).catch(cause => {
    throw new Error(`the data file ${path} cannot be used: ${cause.message}`, { cause })
  })
  let waiting: string[] = []
  let written: Promise<void> = Promise.resolve()
  const writeWaiting = async () => {
    const batch = waiting.join('')
    waiting = []
    if (batch !== '') await file.appendFile(batch)
  }
  return {
    append(record) {
      waiting.push(toLine(record))
      written = written.then(writeWaiting)
      return written
    },
    async close() {
      await written
      await file.close()
    },
  }
}

async function openSettled(path: string, settle: (records: unknown[]) => unknown[]): Promise<FileHandle> {
  await mkdir(dirname(path), { recursive: true })
  const kept = settle(parseLines(await readIfThere(path)))
  await writeFile(`${path}.new`, kept.map(toLine).join(''), { mode: 0o600, flush: true })
  await rename(`${path}.new`, path)
  return open(path, 'a')
}

/** Keeps nothing. */
export const noJournal: Journal = {
  append: async () => {},
  close: async () => {},
}

async function readIfThere(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return ''
    throw error
  }
}

function parseLines(text: string): unknown[] {
  return text
    .split('\n')
    .slice(0, -1)
    .map(line => JSON.parse(line))
}

function toLine(record: unknown): string {
  return `${JSON.stringify(record)}\n`
}
