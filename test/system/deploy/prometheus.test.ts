import { globSync, readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import { temporaryFolder } from '../../development/temporary-folder.ts'
import { codeBlocks } from '../../documents/samples.ts'
import { describeWith, findProgram, runProgram } from '../../harness/system-program.ts'

const folder = 'deploy/prometheus'
const read = (file: string) => readFileSync(`${folder}/${file}`, 'utf8')

const ruleFiles = globSync('*-rules.yaml', { cwd: folder })
const testFiles = globSync('*.test.yaml', { cwd: folder })
const alerts = ruleFiles.flatMap(file =>
  [...read(file).matchAll(/- alert: (\w+)\n([\s\S]*?)(?=\n\n|$(?![\s\S]))/g)].map(([, name, rule]) => ({
    name: name!,
    rule: rule!,
  })),
)

const dashboard = JSON.parse(readFileSync('deploy/grafana/dashboard.json', 'utf8'))

interface Panel {
  id: number
  type: string
  title: string
  gridPos: { x: number; y: number; w: number; h: number }
  datasource?: object
  targets?: { refId: string; expr: string; datasource: object }[]
}
const panels = dashboard.panels as Panel[]

const promtool = {
  isMissing: !findProgram('promtool'),
  reason: 'no promtool (apt-get install --no-install-recommends prometheus)',
}

describeWith([promtool], 'promtool', () => {
  const temporary = temporaryFolder()

  it('accepts the rules and passes their unit tests, as OPERATIONS.md says', async () => {
    const [commands] = codeBlocks('OPERATIONS.md').filter(({ code }) => code.startsWith('promtool'))
    const { stdout } = await runProgram('/bin/sh', ['-euc', commands!.code])
    expect(stdout.match(/SUCCESS/g)).to.have.length(ruleFiles.length + testFiles.length)
  })

  it('accepts the example of a configuration, which loads all rules', async () => {
    const { stdout } = await runProgram('promtool', ['check', 'config', 'prometheus.yaml'], { cwd: folder })
    expect(stdout).to.include(`SUCCESS: ${ruleFiles.length} rule files found`)
  })

  it('knows the alerts that the example for Alertmanager names', () => {
    const [, inhibited] = read('alertmanager.yaml').split('inhibit_rules:')
    const patterns = [...inhibited!.matchAll(/alertname=~?"([^"]+)"/g)].flatMap(([, names]) =>
      names!.split('|'),
    )
    expect(patterns.length).to.be.above(30)
    const unknown = patterns.filter(
      pattern => !alerts.some(({ name }) => new RegExp(`^${pattern}$`).test(name)),
    )
    expect(unknown).to.deep.equal([])
  })

  it('can parse the queries of the dashboard', async () => {
    const rules = panels
      .flatMap(({ targets = [] }) => targets)
      .map(({ expr }, index) => ({
        record: 'query',
        labels: { number: `${index}` },
        expr: expr.replaceAll('$__rate_interval', '1m'),
      }))
    const file = join(temporary.path, 'queries.yaml')
    await writeFile(file, JSON.stringify({ groups: [{ name: 'queries', rules }] }))
    const { stdout } = await runProgram('promtool', ['check', 'rules', file])
    expect(stdout).to.include(`SUCCESS: ${rules.length} rules found`)
  })
})

describe('Each alert', () => {
  it('has a severity, a summary and a link to its first steps', () => {
    expect(alerts.length).to.be.above(30)
    for (const { name, rule } of alerts) {
      expect(rule, name).to.match(/labels: \{ severity: (page|ticket) \}/)
      expect(rule, name).to.match(/ {10}summary: \S/)
      expect(rule, name).to.include(`runbook_url: '{{ $externalLabels.runbooks }}#${name.toLowerCase()}'`)
    }
  })

  it('fires in a unit test, and no other is expected to', () => {
    const expected = testFiles.flatMap(file =>
      [...read(file).matchAll(/alertname="(\w+)"/g)].map(([, name]) => name),
    )
    expect([...new Set(expected)]).to.have.members(alerts.map(({ name }) => name))
  })
})

describe('The dashboard', () => {
  it('uses recording rules that exist', () => {
    const recorded = [...read('recording-rules.yaml').matchAll(/- record: (\S+)/g)].map(([, name]) => name)
    const used = panels.flatMap(({ targets = [] }) =>
      targets.flatMap(({ expr }) => expr.match(/[a-z_]+:[a-z_]+:\w+/g) ?? []),
    )
    expect(used).not.to.be.empty
    expect(recorded).to.include.members(used)
  })
})
