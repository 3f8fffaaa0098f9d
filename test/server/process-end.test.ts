import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { expect } from 'chai'

const program = join(import.meta.dirname, 'faulty-process.ts')

describe('A fault that nothing catches', () => {
  function run(...args: string[]): Promise<{ code: unknown; out: string; err: string }> {
    return new Promise(resolve => {
      execFile(process.execPath, [program, ...args], (error, out, err) =>
        resolve({ code: error?.code ?? 0, out, err }),
      )
    })
  }

  for (const fault of ['exception', 'rejection']) {
    it(`(${fault}) is logged without its words, and ends the process in order, with exit code 1`, async () => {
      const { code, out, err } = await run(fault)
      // Two writers share the output, and either can be first.
      const [closed, line = ''] = out.trim().split('\n').toSorted()
      expect(JSON.parse(line)).to.include({ level: 'fatal' })
      expect(JSON.parse(line).err).to.have.keys('type', 'at')
      expect(closed).to.equal('closed in order')
      expect(out.trim().split('\n')).to.have.length(2)
      expect({ code, err }).to.deep.equal({ code: 1, err: '' })
      expect(out).not.to.include('ann@example.com')
    })

    it(`(${fault}) ends a process at once that is not up yet`, async () => {
      const { code, out } = await run(fault, 'early')
      expect(JSON.parse(out)).to.include({ level: 'fatal' })
      expect(code).to.equal(1)
    })
  }
})
