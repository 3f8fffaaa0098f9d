import { expect } from 'chai'
import { allBenchmarks } from '../bench/all-benchmarks.ts'
import { describeWithRedis } from '../harness/engines/redis.ts'
import { runProgram } from '../harness/system-program.ts'

describeWithRedis('npm run bench', () => {
  it('measures each benchmark, and no request is rejected', async () => {
    const options = ['--rounds', '1', '--seconds', '1', '--tenants', '10']
    const { stdout } = await runProgram(process.execPath, ['test/bench/main.ts', ...options])
    const sections = stdout.split(/^# (?=[\w-]+$)/m).slice(1)
    expect(sections.map(section => section.split('\n')[0])).to.deep.equal(
      allBenchmarks.map(({ name }) => name),
    )
    for (const section of sections) {
      expect(section).to.match(/^\| .*\d/m)
      expect(section).not.to.contain('rejected, %')
    }
  }).timeout(600_000)
})
