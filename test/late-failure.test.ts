import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { expect } from 'chai'
import { outcomeOf } from './harness/system-program.ts'

const folder = 'test/fixtures/late-failure'
const required = ['declared-tests', 'seed', 'scale-timeouts', 'unhandled-rejections', 'check-responses']

describe('A test file that fails after its tests', () => {
  it('fails no file after it, and the tests that its hooks dropped are counted as failed', async () => {
    await using temporary = await mkdtempDisposable(join(tmpdir(), 'late-failure-'))
    const files = ['late.ts', 'healthy.ts'].map(name => join(folder, name))
    const options = [
      '--no-config',
      '--timeout=20000',
      '--no-color',
      '--parallel',
      '--jobs=1',
      `--reporter=${resolve('test/harness/run/reporter.ts')}`,
      '--reporter-option=needs=nothing',
    ]
    const hooks = required.map(name => `--require=./test/harness/run/${name}.ts`)
    const env = { ...process.env, TMPDIR: temporary.path }
    const { code, stdout } = await outcomeOf('node_modules/.bin/mocha', [...options, ...hooks, ...files], {
      env,
    })
    expect(stdout).to.include('✔ has a response that is checked')
    expect(stdout).to.include('2 passing').and.to.include('2 failing')
    expect(stdout).to.include('A rejected promise was not handled: Error: late')
    expect(stdout).to.include('4 tests are declared, 2 finished')
    expect(code).to.equal(4)
  })
})
