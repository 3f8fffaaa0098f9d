import { createHash } from 'node:crypto'
import { expect } from 'chai'
import { type Fact, missingFacts, type Statement } from '#domain/practice-statement/practice.ts'
import { ageInYears, judgeAge } from '#domain/verification/age.policy.ts'
import { publishStatement } from '#server/database/publish-statement.ts'
import { eventually } from '../../harness/eventually.ts'
import { stored } from '../../harness/stored.ts'
import { createTestClock } from '../../harness/test-clock.ts'
import { startTestService } from '../../harness/test-service.ts'
import { useService } from '../../harness/use-service.ts'

interface Published {
  version: number
  date: string
  sha256: string
  missing: string[]
  statement: Statement
}

/** The services of a test are at another port each; tenants see one address. */
const address = { BASE_URL: 'https://age.example' }

/** How long a process may not know of a version that another one has recorded. */
const listCachedMs = 5_000

const facts = {
  controller: 'Example Ltd, 1 <High> Street',
  contact: 'privacy@example.com',
  complaints: 'complaints@example.com',
  complaintsDays: 30,
  alternative: 'In person, at any branch',
  providerCertificates: 'None known',
  providerPresentationAttacks: 'A passive check of liveness',
  providerTests: 'None known',
  providerSubprocessors: 'A cloud, in Ireland',
  providerRetentionDays: 30,
}
const stated = { PRACTICE: JSON.stringify(facts) }
describe('The practice statement', () => {
  const clock = createTestClock()
  const service = useService({ env: address, clock })
  const get = async (path = '.json', headers = {}) =>
    await fetch(`http://127.0.0.1:${service.services.config.port}/practice-statement${path}`, { headers })
  const getJson = async (path = '.json') => (await (await get(path)).json()) as Published

  /** What the same service says with other settings, from its start on. */
  async function restart(env: Record<string, string>): Promise<Published> {
    const { databaseUrl } = service
    const other = await startTestService({ databaseUrl, env: { ...address, ...env }, clock })
    clock.advance(listCachedMs)
    try {
      const url = `http://127.0.0.1:${other.services.config.port}/practice-statement.json`
      return (await (await fetch(url)).json()) as Published
    } finally {
      await other.close()
    }
  }

  const fact = ({ statement }: Published, section: string, name: string): Fact => {
    const found = statement.sections[section]?.facts[name]
    if (!found) throw new Error(`There is no ${section}.${name}`)
    return found
  }

  it('is for anyone, of any site, as JSON and as a page, and is cached', async () => {
    const json = await get()
    expect(json.status).to.equal(200)
    expect(json.headers.get('content-type')).to.equal('application/json; charset=utf-8')
    expect(json.headers.get('access-control-allow-origin')).to.equal('*')
    const page = await get('')
    expect(page.headers.get('content-type')).to.equal('text/html; charset=utf-8')
    expect(page.headers.get('content-security-policy')).to.contain("default-src 'none'")
    for (const [path, { headers }] of [
      ['.json', json],
      ['', page],
    ] as const) {
      expect(headers.get('cache-control')).to.equal('public, max-age=300')
      const again = await get(path, { 'if-none-match': headers.get('etag')!, 'cache-control': 'max-age=0' })
      expect([again.status, await again.text()]).to.deep.equal([304, ''])
    }
  })

  it('has the SHA-256 of its statement, as compact JSON, byte for byte as it is sent', async () => {
    const text = await (await get()).text()
    const { sha256, statement }: Published = JSON.parse(text)
    expect(text).to.contain(JSON.stringify(statement))
    expect(createHash('sha256').update(JSON.stringify(statement)).digest('hex')).to.equal(sha256)
  })

  it('says what the operator has not stated: by setting and as null in the JSON, without settings on the page', async () => {
    const published = await getJson()
    expect(published.missing).to.have.members(missingFacts({}).map(fact => `PRACTICE.${fact}`))
    expect(fact(published, 'responsible', 'controller')).to.deep.equal({
      name: 'Controller',
      setting: 'PRACTICE.controller',
      text: null,
    })
    const page = await (await get('')).text()
    expect(page).to.contain('Not complete.')
    expect(page.split('Not stated by the operator.')).to.have.length(published.missing.length + 1)
    expect(page).to.not.contain('PRACTICE')
  })

  it('is a new version after a change, and the earlier ones stay as they were, byte for byte', async () => {
    const before = await getJson()
    const first = await (await get(`/${before.version}.json`)).text()
    const changed = await restart(stated)
    expect(changed).to.include({ version: before.version + 1 })
    expect(changed.missing).to.deep.equal([])
    expect(changed.sha256).to.not.equal(before.sha256)
    expect(fact(changed, 'acceptability', 'complaintsWithin').text).to.equal('30 days')
    expect(await restart(stated)).to.deep.equal(changed)
    const back = await restart({})
    expect(back).to.include({ version: before.version + 2, sha256: before.sha256 })
    expect(Date.parse(back.date)).to.be.at.least(Date.parse(changed.date))
    expect(await (await get(`/${before.version}.json`)).text()).to.equal(first)
  })

  it('says of an earlier version until when it was in force, and escapes what the operator states', async () => {
    const { version } = await restart(stated)
    await restart({})
    const page = await (await get(`/${version}`)).text()
    expect(page).to.contain(`Version ${version + 1} is in force now`)
    expect(page).to.contain('1 &lt;High&gt; Street').and.not.contain('<High>')
    expect(page).to.contain(`href="../practice-statement/${version}.json"`).and.contain('href="../docs.css"')
    expect(page).to.not.contain('Not complete.')
  })

  async function refuseStatements(): Promise<void> {
    const body = "begin raise 'read-only'; end"
    await stored(service, `create function refuse() returns trigger language plpgsql as $$ ${body} $$`)
    const event = 'before insert on practice_statement'
    await stored(service, `create trigger refuse ${event} execute function refuse()`)
  }

  it('stays as it is while a new one cannot be stored, which stops no start, and follows as soon as it can', async () => {
    const before = await getJson()
    await refuseStatements()
    expect(await restart({ PRACTICE: '{"contact":"somebody else"}' })).to.deep.equal(before)
    await stored(service, 'drop function refuse cascade')
    const last = await restart(stated)
    await refuseStatements()
    using _ = await publishStatement(service.services.scopeFor, 10)
    await stored(service, 'drop function refuse cascade')
    await eventually(async () => {
      clock.advance(listCachedMs)
      return (await getJson()).version > last.version
    })
    expect(await getJson()).to.deep.include({ version: last.version + 1, sha256: before.sha256 })
  })

  it('is that of the API: a worker with other settings changes nothing, nor does a restart with the same', async () => {
    const before = await restart(stated)
    for (const role of ['worker', 'api', 'all']) {
      const env = role === 'worker' ? { PRACTICE: '{"contact":"somebody else"}' } : stated
      expect(await restart({ ...env, ROLE: role })).to.deep.equal(before)
    }
    const both = await Promise.all([restart(stated), restart(stated)])
    expect(both).to.deep.equal([before, before])
  })

  it('has the lifetimes and the retention of the configuration', async () => {
    const published = await restart({
      TOKEN_TTL_DAYS: '7',
      SESSION_LIFETIME_DAYS: '0.5',
      VERIFICATION_RETENTION_DAYS: '60',
      AUDIT_RETENTION_DAYS: '91',
    })
    for (const [section, name, time] of [
      ['lifetimes', 'token', '7 days'],
      ['lifetimes', 'session', '12 hours'],
      ['privacy', 'verification', '60 days'],
      ['privacy', 'verification_outcome', '60 days'],
      ['privacy', 'open_verification', '12 hours'],
      ['privacy', 'audit_event', '91 days'],
      ['security', 'audit', '91 days'],
    ] as const) {
      expect(fact(published, section, name).text, `${section}.${name}`).to.contain(time)
    }
    expect(fact(published, 'lifetimes', 'token').seconds).to.equal(7 * 86_400)
  })

  it('has the rule of the age as the code applies it', async () => {
    const published = await getJson()
    const years = (name: string) => fact(published, 'age', name).years!
    const on = new Date('2030-06-15T12:00:00Z')
    const born = (age: number) => `${2030 - age}-06-15`
    const none = { dateOfBirth: null, yearOfBirth: null, births: [], estimatedAges: [], reasonCode: null }
    expect(judgeAge({ ...none, dateOfBirth: born(years('date')) }, on).over18).to.equal(true)
    expect(judgeAge({ ...none, dateOfBirth: `${2030 - years('date')}-06-16` }, on).over18).to.equal(false)
    expect(judgeAge({ ...none, estimatedAges: [years('estimate')] }, on).over18).to.equal(true)
    expect(judgeAge({ ...none, estimatedAges: [years('estimate') - 0.1] }, on).over18).to.equal(null)
    expect(ageInYears(born(years('oldest')), on)).to.equal(years('oldest'))
    expect(ageInYears(born(years('oldest') + 1), on)).to.equal(undefined)
  })
})
