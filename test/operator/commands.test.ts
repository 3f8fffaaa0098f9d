import { userInfo } from 'node:os'
import { expect } from 'chai'
import { createTestDatabase } from '../harness/database.ts'
import { queryIn } from '../server/query-in.ts'
import { type OperatorOnDatabase, openOperator, operate, operatorOn } from './operate.ts'

const iso = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

type Printed = Record<string, unknown>

describe('the operator’s command line', () => {
  let operator: OperatorOnDatabase
  let tenantId: string
  before(async () => {
    operator = await openOperator()
  })
  after(() => operator.close())
  beforeEach(async () => {
    const tenant = await operator.json('tenant', 'create', '--name', 'Shop')
    tenantId = tenant.tenantId
  })

  const forTenant = (noun: string, verb: string, ...options: string[]) =>
    operator.json(noun, verb, '--tenant', tenantId, ...options)

  it('creates tenants, on the default plan or a given one', async () => {
    await operator.json('plan', 'set', '--name', 'small', '--monthly-quota', '3')
    const tenant = await operator.json('tenant', 'create', '--name', 'Kiosk', '--plan', 'small')
    expect(tenant).to.have.all.keys('tenantId', 'name', 'plan', 'subscription', 'test')
    expect(tenant.tenantId).to.match(uuid)
    // A command may have none of the provider's settings.
    expect(tenant).to.include({ name: 'Kiosk', plan: 'small', subscription: 'active', test: false })
    expect(await operator.json('tenant', 'create', '--name', 'Kiosk', '--test')).to.include({ test: true })
  })

  it('lists tenants and shows one, with usage of the month', async () => {
    const access = { plan: 'default', subscription: 'active', enabled: true, test: false }
    const shown = { tenantId, name: 'Shop', ...access, usage: 0 }
    expect(await forTenant('tenant', 'show')).to.deep.include(shown)
    const all = await operator.json('tenant', 'list')
    expect(all).to.deep.include(shown)
    const [first, second] = await operator.json('tenant', 'list', '--limit', '2')
    const rest = await operator.json('tenant', 'list', '--after', all[1]!.tenantId)
    expect([first, second, ...rest]).to.deep.equal(all)
  })

  it('sets after how many days verifications are deleted, up to the service’s own', async () => {
    const set = (days: string) => forTenant('tenant', 'set-retention', '--days', days)
    expect(await set('7')).to.deep.equal({ tenantId, retentionDays: 7 })
    expect(await forTenant('tenant', 'show')).to.include({ retentionDays: 7 })
    const beyond = ['tenant', 'set-retention', '--tenant', tenantId, '--days', '401']
    expect((await operator.error(...beyond)).message).to.include('from 1 to 400')
    expect(await set('400')).to.deep.equal({ tenantId, retentionDays: 400 })
    expect(await forTenant('tenant', 'show')).to.include({ retentionDays: 400 })
  })

  it('disables and enables a tenant and changes its subscription and plan, printing the new state', async () => {
    await operator.json('plan', 'set', '--name', 'other')
    const changes: [change: string[], printed: object][] = [
      [['disable'], { tenantId, enabled: false, usage: 0 }],
      [['enable'], { enabled: true }],
      [['set-subscription', '--state', 'inactive'], { subscription: 'inactive', enabled: true }],
      [['set-subscription', '--state', 'active'], { subscription: 'active' }],
      [['set-plan', '--plan', 'other'], { plan: 'other', subscription: 'active' }],
      [['show'], { plan: 'other', subscription: 'active' }],
    ]
    for (const [[verb, ...options], printed] of changes) {
      expect(await forTenant('tenant', verb!, ...options)).to.include(printed)
    }
  })

  it('sets a webhook URL, prints its secret, and rotates the secret', async () => {
    const url = 'https://shop.example.com/hook'
    const set = await forTenant('tenant', 'set-webhook', '--url', url)
    expect(set).to.have.all.keys('tenantId', 'webhookUrl', 'webhookSecret')
    expect(set).to.include({ tenantId, webhookUrl: url })
    expect(set.webhookSecret).to.match(/^whsec_[A-Za-z0-9_-]{43}$/)
    expect(await forTenant('tenant', 'set-webhook', '--url', url)).to.deep.equal(set)
    const rotated = await forTenant('tenant', 'rotate-webhook-secret')
    expect(rotated).to.have.all.keys('tenantId', 'webhookSecret', 'previousValidUntil')
    expect(rotated.webhookSecret).not.to.equal(set.webhookSecret)
    expect(rotated.previousValidUntil).to.match(iso)
    const cleared = await forTenant('tenant', 'set-webhook', '--clear')
    expect(cleared).to.include({ webhookUrl: null, webhookSecret: rotated.webhookSecret })
  })

  it('creates, lists and revokes keys, printing the value only once', async () => {
    const all = await forTenant('key', 'create')
    expect(all).to.have.all.keys('apiKeyId', 'apiKey', 'scopes', 'expiresAt')
    expect(all.apiKey).to.match(/^avk_[0-9A-Za-z]{49}$/)
    expect(all.expiresAt).to.equal(null)
    expect(all.scopes).to.have.members(['verifications:write', 'verifications:read', 'tokens:validate'])
    const scopes = ['--scopes', 'tokens:validate, verifications:read']
    const expiry = ['--expires', '2030-01-31T12:00:00+01:00']
    const some = await forTenant('key', 'create', '--name', 'web', ...scopes, ...expiry)
    expect(some.scopes).to.deep.equal(['tokens:validate', 'verifications:read'])
    expect(some.expiresAt).to.equal('2030-01-31T11:00:00.000Z')
    const revoked = await operator.json('key', 'revoke', '--key', some.apiKeyId)
    expect(revoked).to.include({ apiKeyId: some.apiKeyId, name: 'web' })
    expect(revoked.revokedAt).to.match(iso)
    const listed = await operator.json('key', 'list', '--tenant', tenantId)
    expect(listed).to.deep.include(revoked)
    expect(listed).to.have.length(2)
    for (const key of [all, some]) expect(JSON.stringify([listed, revoked])).not.to.include(key.apiKey)
  })

  it('adds, lists and removes members', async () => {
    const added = await forTenant('member', 'add', '--subject', 'auth0|1', '--role', 'owner')
    expect(added).to.deep.equal({ tenantId, subject: 'auth0|1', role: 'owner' })
    await forTenant('member', 'add', '--subject', 'auth0|2', '--role', 'viewer')
    await forTenant('member', 'remove', '--subject', 'auth0|2')
    const listed: Printed[] = await operator.json('member', 'list', '--tenant', tenantId)
    expect(listed.map(({ subject, role }) => [subject, role])).to.deep.equal([['auth0|1', 'owner']])
    const last = await operator.error('member', 'remove', '--tenant', tenantId, '--subject', 'auth0|1')
    expect(last.error).to.equal('FORBIDDEN')
  })

  it('creates and changes plans, keeping omitted limits', async () => {
    const limits = '--rate-limit 7 --read-rate-limit 70 --monthly-quota 700 --hard-limit 7000'.split(' ')
    const created = await operator.json('plan', 'set', '--name', 'seven', ...limits, '--overage', 'true')
    expect(created).to.deep.equal({
      name: 'seven',
      rateLimitPerMinute: 7,
      readRateLimitPerMinute: 70,
      monthlyQuota: 700,
      hardLimit: 7000,
      overage: true,
    })
    const changed = await operator.json('plan', 'set', '--name', 'seven', '--overage', 'false')
    expect(changed).to.deep.equal({ ...created, overage: false })
    expect(await operator.json('plan', 'list')).to.deep.include(changed)
  })

  it('rotates the signing key', async () => {
    const rotate = (...options: string[]) => operator.json('signing-key', 'rotate', ...options)
    const [first, second] = [await rotate(), await rotate()]
    expect(first).to.have.all.keys('kid', 'retired')
    expect(second.retired).to.include(first.kid)
    const listed: Printed[] = await operator.json('signing-key', 'list')
    expect(listed.map(({ kid, state }) => [kid, state]).slice(0, 2)).to.deep.equal([
      [second.kid, 'pending'],
      [first.kid, 'active'],
    ])
    expect(listed[0]!.signsFrom).to.match(iso)
    const third = await rotate('--compromised', first.kid)
    expect(third.retired).to.include(second.kid).and.not.to.include(first.kid)
    expect(third.compromised).to.equal(first.kid)
    const unknown = await operator.error('signing-key', 'rotate', '--compromised', 'unknown')
    expect(unknown).to.include({ error: 'INVALID_PARAMETERS' })
    const { out } = await operator.text('signing-key', 'list')
    expect(out).to.match(/^Kid +State +Created at +Signs from/)
  })

  it('rotates the encryption key, and names what no key of ENCRYPTION_KEY decrypts', async () => {
    const { url, close } = await createTestDatabase()
    const [old, added] = [1, 2].map(byte => Buffer.alloc(32, byte).toString('base64')) as [string, string]
    const run = (key: string, ...args: string[]) =>
      operate({ DATABASE_URL: url, ENCRYPTION_KEY: key }, ...args, '--json')
    await run(old, 'signing-key', 'rotate')
    const rotated = await run(`${added},${old}`, 'encryption-key', 'rotate')
    expect(rotated).to.deep.equal({ code: 0, out: '{"sealed":1}\n', err: '' })
    const { code, err } = await run(old, 'encryption-key', 'rotate')
    expect(code).to.equal(1)
    expect(JSON.parse(err).message).to.match(
      /^no key of ENCRYPTION_KEY decrypts signing-key:\S+: No encryption key has the id \w+$/,
    )
    await close()
  })

  it("lists the audit log of a tenant and of the service, with the operator's system user and person", async () => {
    const alice = operatorOn(() => ({ DATABASE_URL: operator.url, OPERATOR_NAME: 'Alice', SUDO_USER: 'al' }))
    await alice.json('plan', 'set', '--name', 'audited', '--monthly-quota', '5')
    const [event] = await operator.json('audit', 'list', '--limit', '1')
    const by = { actorKind: 'operator', actorSubject: userInfo().username, actorName: 'Alice' }
    expect(event).to.deep.include({
      ...by,
      actorIssuer: null,
      action: 'plan.set',
      target: 'audited',
      changes: { monthlyQuota: 5 },
    })
    expect(event!.at).to.match(iso)
    const tenant: Printed[] = await operator.json('audit', 'list', '--tenant', tenantId)
    expect(tenant.at(-1)).to.include({ action: 'tenant.create', actorSubject: userInfo().username })
    expect(tenant.map(({ action }) => action)).not.to.include('plan.set')
    const { apiKeyId } = await alice.json('key', 'create', '--tenant', tenantId)
    await alice.json('key', 'revoke', '--key', apiKeyId)
    const [revocation]: Printed[] = await operator.json('audit', 'list', '--tenant', tenantId)
    expect(revocation).to.include({ ...by, action: 'api_key.revoke', target: apiKeyId })
    const { out } = await operator.text('audit', 'list', '--limit', '1')
    expect(out).to.match(/^At +Actor kind +Actor subject +Actor name .*\n\S+ +operator +\S+ +Alice /)
  })

  it('escapes control and bidirectional characters that are already stored, as text and as JSON', async () => {
    const name = 'a\u001b]0;owned\u0007\u009b2J\u202eb\u2028\u{e0041}'
    const { tenantId: id } = await operator.json('tenant', 'create', '--name', 'Hidden')
    await queryIn(operator.url, 'update tenant set name = $2 where id = $1', [id, name])
    const escaped = 'a\\u001b]0;owned\\u0007\\u009b2J\\u202eb\\u2028\\udb40\\udc41'
    const hidden = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u
    for (const args of [
      ['tenant', 'list'],
      ['tenant', 'show', '--tenant', String(id)],
    ]) {
      const { out } = await operator.text(...args)
      expect(out).to.include(escaped)
      expect(out.replaceAll('\n', '')).not.to.match(hidden)
      const json = await operator.text(...args, '--json')
      expect(json.out.trimEnd()).not.to.match(hidden)
      expect(JSON.stringify(JSON.parse(json.out))).to.include(JSON.stringify(name))
    }
    const { err } = await operator.text('tenant', 'show', '--tenant', 'x\u001b[31m\u202e')
    expect(err).to.equal('No tenant has the id x\\u001b[31m\\u202e.\n')
  })
})
