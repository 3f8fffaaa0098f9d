import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { temporaryFolder } from '../development/temporary-folder.ts'
import { endProcess, killOnExit } from '../harness/processes/process-tree.ts'

const program = [process.execPath, join(import.meta.dirname, 'logging-process.ts')]

interface Logged {
  line: number
}

describe('Standard output', function () {
  this.timeout(60_000)
  const folder = temporaryFolder()
  const children: ChildProcess[] = []
  afterEach(async () => {
    for (const child of children.splice(0)) await endProcess(child)
  })

  /** Runs a program that logs, by a shell command in which it is `"$@"`, or with this standard output. */
  async function run(stdout: 'pipe' | number, command = 'exec "$@"') {
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
      async log(lines: number): Promise<void> {
        child.send({ lines })
        await once(child, 'message')
      },
      async logAndExit(lines: number) {
        child.send({ lines, thenExits: true })
        const [code] = await once(child, 'close')
        return { code, err }
      },
    }
  }

  it('whose reader has gone costs lines, not the process', async () => {
    const process = await run('pipe')
    process.child.stdout!.destroy()
    await process.log(100)
    expect(await process.logAndExit(1)).to.deep.equal({ code: 1, err: '' })
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
})

function parse(text: string): Logged[] {
  return text
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line))
}
