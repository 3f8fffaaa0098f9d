import { fstatSync } from 'node:fs'
import { type DestinationStream, pino } from 'pino'
import { journalStream } from '../configuration/journal-stream.ts'

/** What waits while a disk is full, at most; what is beyond is dropped. */
const waitingBytesMax = 4 * 1024 * 1024

/** The journal's priority (as in syslog) for pino's numbers of trace, debug, info, warn, error and fatal. */
const priorities: Record<number, number> = { 10: 7, 20: 7, 30: 6, 40: 4, 50: 3, 60: 2 }

let opened: DestinationStream | undefined

/**
 * The standard output of the process, where all of its loggers write. Each line is written before the call returns, so that the
 * last ones before a crash are there. Errors cost lines, not the process; a reader that stops makes it wait.
 */
export function standardOutput(): DestinationStream {
  opened ??= open()
  return opened
}

function open(): DestinationStream {
  const destination = pino.destination({ dest: 1, sync: true, maxLength: waitingBytesMax })
  destination.on('error', () => undefined)
  return isJournal() ? withPriorities(destination) : destination
}

/** Whether standard output is the socket of the journal that systemd names, and was not redirected since. */
function isJournal(): boolean {
  const stream = journalStream()
  if (stream === undefined) return false
  const { dev, ino } = fstatSync(1)
  return stream === `${dev}:${ino}`
}

function withPriorities(destination: DestinationStream): DestinationStream {
  const journal = {
    /** Has pino set `lastLevel` before each line. */
    [Symbol.for('pino.metadata')]: true,
    lastLevel: 30,
    write: (line: string) => destination.write(`<${priorities[journal.lastLevel] ?? priorities[30]}>${line}`),
  }
  return journal
}
