import { join } from 'node:path'
import { expect } from 'chai'
import { outcomeOf } from '../harness/system-program.ts'

const program = join(import.meta.dirname, 'failing-process.ts')

describe('An uncaught error', () => {
  const run = (...args: string[]) => outcomeOf(process.execPath, [program, ...args])

  for (const kind of ['exception', 'rejection']) {
    it(`(${kind}) is logged without its message and shuts the process down with exit code 1`, async () => {
      const { code, stdout, stderr } = await run(kind)
      // Two writers share the output, so the order of the lines varies.
      const [closed, line = ''] = stdout.trim().split('\n').toSorted()
      expect(JSON.parse(line)).to.include({ level: 'fatal' })
      expect(JSON.parse(line).err).to.have.keys('type', 'at')
      expect(closed).to.equal('closed')
      expect(stdout.trim().split('\n')).to.have.length(2)
      expect({ code, stderr }).to.deep.equal({ code: 1, stderr: '' })
      expect(stdout).not.to.include('ann@example.com')
    })

    it(`(${kind}) ends a process immediately that is not up yet`, async () => {
      const { code, stdout } = await run(kind, 'early')
      expect(JSON.parse(stdout)).to.include({ level: 'fatal' })
      expect(code).to.equal(1)
    })
  }
})
