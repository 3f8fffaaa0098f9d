import { fstatSync, writeSync } from 'node:fs'
import { systemdVariables } from '../configuration/systemd-variables.ts'

/** Enough for a reader that pauses for seconds; little beside the memory of a process. */
const waitingBytesMax = 4 * 1024 * 1024
const retryMs = 10
/** How long an exit waits for a reader, so that the last lines before a crash are there. */
const exitMsMax = 1_000

/** The journal's priority (as in syslog) for pino's numbers of trace, debug, info, warn, error and fatal. */
const priorities: Record<number, number> = { 10: 7, 20: 7, 30: 6, 40: 4, 50: 3, 60: 2 }

/** The process has one standard output, so all of its loggers write here. */
export const standardOutput = createStandardOutput()

/**
 * Writes lines to standard output, each before the call returns, unless there is no room: a disk is full, a reader of a pipe
 * has stopped. Such lines wait, in their order, and those beyond 4 MiB are dropped, with a line that says how many. So
 * nothing that happens to standard output ends the process or makes it wait. A write takes less time than handing the line
 * to another thread.
 */
function createStandardOutput() {
  let opened: { stream: Stream | undefined; isJournal: boolean } | undefined
  /** Lines; the first one can be the rest of one. */
  const waiting: Buffer[] = []
  let waitingBytes = 0
  let dropped = 0
  let droppedBefore = 0
  let retry: NodeJS.Timeout | undefined

  function write(line: string, level: number): void {
    opened ??= open(flushAtExit)
    const text = opened.isJournal ? `<${priorities[level] ?? priorities[30]}>${line}` : line
    const rest = retry ? Buffer.from(text) : tryToWrite(opened.stream, text)
    if (!rest) return
    hold(rest)
    retry ??= setInterval(flush, retryMs).unref()
  }

  function hold(line: Buffer): void {
    // Once a line was dropped, so are all until those before it are written: the gap is one.
    if (dropped > droppedBefore || waitingBytes + line.length > waitingBytesMax) {
      dropped += 1
      return
    }
    waiting.push(line)
    waitingBytes += line.length
  }

  function flush(): void {
    let rest: Buffer | undefined
    let written = 0
    // One by one: the system doesn't mix a line of up to 4 KiB with those that other processes write to the same pipe.
    for (; written < waiting.length && !rest; written++) rest = tryToWrite(opened!.stream, waiting[written]!)
    const done = waiting.splice(0, written)
    if (rest) waiting.unshift(rest)
    waitingBytes += (rest?.length ?? 0) - done.reduce((sum, { length }) => sum + length, 0)
    if (!rest) resume()
  }

  function resume(): void {
    clearInterval(retry)
    retry = undefined
    const lines = dropped - droppedBefore
    droppedBefore = dropped
    const lost = {
      level: 'warn',
      time: new Date(),
      lines,
      msg: 'Standard output took no lines; some were dropped',
    }
    if (lines > 0) write(`${JSON.stringify(lost)}\n`, 40)
  }

  function flushAtExit(): void {
    const end = performance.now() + exitMsMax
    while (retry && performance.now() < end) {
      flush()
      if (retry) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, retryMs)
    }
  }

  return {
    /** Has pino set `lastLevel` before each line. */
    [Symbol.for('pino.metadata')]: true,
    lastLevel: 30,
    write(line: string): void {
      write(line, this.lastLevel)
    },
    /** How many lines were dropped since the process began. */
    dropped: () => dropped,
  }
}

function open(onExit: () => void) {
  process.once('exit', onExit)
  // What is written without the log may be lost, too.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined)
  const { _handle: stream } = process.stdout as { _handle?: Stream }
  return { stream, isJournal: isJournal() }
}

/** libuv's, of a pipe, socket or terminal. */
interface Stream {
  setBlocking(isBlocking: boolean): void
}

/** Whether standard output is the socket of the journal that systemd names, and was not redirected since. */
function isJournal(): boolean {
  const { dev, ino } = fstatSync(1)
  return systemdVariables().journalStream === `${dev}:${ino}`
}

/** Returns what could not be written: there is no room now, or it cannot be written to. */
function tryToWrite(stream: Stream | undefined, text: string | Buffer): Buffer | undefined {
  let written = 0
  try {
    // Each time: other processes have the same pipe, and what starts or ends one makes it block.
    stream?.setBlocking(false)
    written = typeof text === 'string' ? writeSync(1, text) : writeSync(1, text)
  } catch {
    // The caller tries again: a disk gets space, a FIFO another reader.
  }
  return written === Buffer.byteLength(text) ? undefined : Buffer.from(text).subarray(written)
}
