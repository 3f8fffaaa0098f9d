import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { expect } from 'chai'

const program = join(import.meta.dirname, 'failing-process.ts')

describe('An uncaught error', () => {
  function run(...args: string[]): Promise<{ code: unknown; out: string; err: string }> {
    return new Promise(resolve => {
      execFile(process.execPath, [program, ...args], (error, out, err) =>
        resolve({ code: error?.code ?? 0, out, err }),
      )
    })
  }

  for (const kind of ['exception', 'rejection']) {
    it(`(${kind}) is logged without its message and shuts the process down with exit code 1`, async () => {
      const { code, out, err } = await run(kind)
      // Two writers share the output, so the order of the lines varies.
      const [closed, line = ''] = out.trim().split('\n').toSorted()
      expect(JSON.parse(line)).to.include({ level: 'fatal' })
      expect(JSON.parse(line).err).to.have.keys('type', 'at')
      expect(closed).to.equal('closed')
      expect(out.trim().split('\n')).to.have.length(2)
      expect({ code, err }).to.deep.equal({ code: 1, err: '' })
      expect(out).not.to.include('ann@example.com')
    })

    it(`(${kind}) ends a process immediately that is not up yet`, async () => {
      const { code, out } = await run(kind, 'early')
      expect(JSON.parse(out)).to.include({ level: 'fatal' })
      expect(code).to.equal(1)
    })
  }
})
