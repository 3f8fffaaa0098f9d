import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { constants, openSync, readFileSync, truncateSync } from 'node:fs'
import { createConnection, createServer, Socket } from 'node:net'
import { join } from 'node:path'
import { expect } from 'chai'
import { temporaryFolder } from '../development/temporary-folder.ts'
import { eventually } from '../harness/eventually.ts'
import { endProcess, killOnExit } from '../harness/processes/process-tree.ts'

const program = [process.execPath, join(import.meta.dirname, 'logging-process.ts')]

/** More than what waits, 4 MiB, and what the system's buffers hold. */
const tooMany = 30_000

interface Logged {
  level: string
  msg: string
  line?: number
  lines?: number
}

describe('Standard output', function () {
  this.timeout(60_000)
  const folder = temporaryFolder()
  const children: ChildProcess[] = []
  afterEach(async () => {
    for (const child of children.splice(0)) await endProcess(child)
  })

  /** Runs a program that logs, by a shell command in which it is `"$@"`, or with this standard output. */
  async function run(stdout: 'pipe' | number | Socket, command = 'exec "$@"') {
    const child = killOnExit(
      spawn('/bin/sh', ['-c', command, 'sh', ...program], { stdio: ['ignore', stdout, 'pipe', 'ipc'] }),
    )
    children.push(child)
    let err = ''
    child.stderr!.setEncoding('utf8').on('data', text => {
      err += text
    })
    await once(child, 'message')
    return {
      child,
      err: () => err,
      async log(lines: number): Promise<{ dropped: number }> {
        child.send({ lines })
        const [{ tookMs, dropped }] = await once(child, 'message')
        // Generous: what is not allowed is that it waits for the reader.
        expect(tookMs, 'ms').to.be.below(10_000)
        return { dropped }
      },
      async logAndExit(lines: number) {
        child.send({ lines, thenExits: true })
        const [code] = await once(child, 'close')
        return { code, err }
      },
    }
  }

  it('that is a full device costs lines, not the process', async () => {
    const process = await run(openSync('/dev/full', 'w'))
    expect((await process.log(100)).dropped).to.equal(0)
    expect((await process.log(tooMany)).dropped).to.be.above(0)
    expect(await process.logAndExit(1)).to.deep.equal({ code: 1, err: '' })
  })

  it('has every line, in its order, after a file that had no room has some again', async () => {
    const file = join(folder.path, 'log')
    const process = await run('pipe', `ulimit -f 60; exec "$@" >>${file}`)
    expect((await process.log(150)).dropped).to.equal(0)
    const before = readFileSync(file, 'utf8')
    truncateSync(file)
    const logged = await eventually(() => parse(before + readFileSync(file, 'utf8')), {
      until: lines => lines.length >= 150,
    })
    expect(before.length, 'blocks of 512 bytes').to.equal(60 * 512)
    expect(logged.map(({ line }) => line)).to.deep.equal(Array.from({ length: 150 }, (_, line) => line))
    expect(process.err()).to.equal('')
  })

  it('that nobody reads drops lines, and says in their place how many', async () => {
    const fifo = makeFifo()
    const reader = openSync(fifo, constants.O_RDONLY | constants.O_NONBLOCK)
    const process = await run('pipe', `exec "$@" >${fifo}`)
    const { dropped } = await process.log(tooMany)
    expect(dropped).to.be.within(1, tooMany - 10_000)
    const received = collect(reader)
    await eventually(() => received().includes('were dropped'))
    await process.log(10)
    const logged = await eventually(() => parse(received()), {
      until: lines => lines.at(-1)!.line === tooMany + 9,
    })
    const gap = logged.findIndex(({ msg }) => msg.includes('were dropped'))
    expect(logged[gap]).to.include({ level: 'warn', lines: dropped })
    const [before, after] = [logged.slice(0, gap), logged.slice(gap + 1)]
    expect(before.map(({ line }) => line)).to.deep.equal(before.map((_, line) => line))
    expect(before).to.have.length(tooMany - dropped)
    expect(after.map(({ line }) => line)).to.deep.equal(after.map((_, line) => tooMany + line))
  })

  it('that is a socket which nobody reads, as the journal can be, drops lines', async () => {
    const path = join(folder.path, 'journal')
    const server = createServer(socket => void socket.pause()).listen(path)
    await once(server, 'listening')
    const connection = createConnection(path)
    await once(connection, 'connect')
    const process = await run(connection)
    expect((await process.log(tooMany)).dropped).to.be.above(0)
    await endProcess(process.child)
    connection.destroy()
    server.close()
  })

  it('has the last lines before an exit, also more than a pipe holds', async () => {
    const file = join(folder.path, 'last')
    const process = await run('pipe', `"$@" | cat >${file}`)
    expect((await process.logAndExit(500)).err).to.equal('')
    const logged = parse(readFileSync(file, 'utf8'))
    expect(logged.map(({ line }) => line)).to.deep.equal(Array.from({ length: 500 }, (_, line) => line))
  })

  it('that is the journal has the level of each line in its own form, and no other output has', async () => {
    for (const [socket, prefix] of [
      ['$(stat --dereference --format %d:%i /proc/$$/fd/1)', '<6>{'],
      ['8:1', '{'],
    ]) {
      const process = await run('pipe', `export JOURNAL_STREAM=${socket}; exec "$@"`)
      process.child.send({ lines: 1 })
      const [data] = await once(process.child.stdout!, 'data')
      expect(String(data).slice(0, prefix!.length)).to.equal(prefix)
    }
  })

  let fifos = 0
  function makeFifo(): string {
    const path = join(folder.path, `fifo-${fifos++}`)
    execFileSync('mkfifo', [path])
    return path
  }
})

/** Reads what comes from now on. */
function collect(fd: number): () => string {
  let received = ''
  new Socket({ fd, readable: true, writable: false }).setEncoding('utf8').on('data', text => {
    received += text
  })
  return () => received
}

function parse(text: string): Logged[] {
  return text
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line))
}
