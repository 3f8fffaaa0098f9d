import { expect } from 'chai'
import { operate } from './operate.ts'
import { type OperatorOnDatabase, openOperator } from './operator-on-database.ts'

const nobody = '01a00000-0000-7000-8000-000000000000'

describe('a wrong operator’s command', () => {
  let operator: OperatorOnDatabase
  let tenantId: string
  before(async () => {
    operator = await openOperator()
    tenantId = String((await operator.json('tenant', 'create', '--name', 'Shop')).tenantId)
  })
  after(() => operator.close())

  const wrong: [string, string[], RegExp][] = [
    ['nothing at all', [], /incomplete/],
    ['a noun alone', ['tenant'], /incomplete/],
    ['an unknown noun', ['tenent', 'list'], /Unknown command 'tenent' \(Did you mean tenant\?\)/],
    ['an unknown verb', ['tenant', 'lst'], /Unknown command 'lst' \(Did you mean list\?\)/],
    ['an unknown option', ['tenant', 'list', '--all'], /Unknown option '--all'/],
    ['an option without its value', ['tenant', 'show', '--tenant'], /--tenant <id>' argument missing/],
    ['a missing option', ['tenant', 'show'], /--tenant <id>' not specified/],
    ['too many words', ['tenant', 'list', 'now'], /Too many arguments/],
    [
      'an unknown tenant',
      ['tenant', 'show', '--tenant', nobody],
      new RegExp(`No tenant has the id ${nobody}`),
    ],
    ['an id that is none', ['key', 'list', '--tenant', '1'], /No tenant has the id 1/],
    ['an unknown key', ['key', 'revoke', '--key', nobody], /No key has the id/],
    [
      'a role that there is not',
      ['member', 'add', '--tenant', nobody, '--subject', 'a', '--role', 'boss'],
      /Allowed choices are viewer, developer, owner/,
    ],
    [
      'a state that there is not',
      ['tenant', 'set-subscription', '--tenant', nobody, '--state', 'x'],
      /active, inactive/,
    ],
    [
      'a plan that there is not',
      ['tenant', 'create', '--name', 'A', '--plan', 'x'],
      /No plan has the name x/,
    ],
    [
      'a limit that is no number',
      ['plan', 'set', '--name', 'a', '--rate-limit', 'many'],
      /--rate-limit must be a whole number/,
    ],
    [
      'a negative limit',
      ['plan', 'set', '--name', 'a', '--rate-limit', '-5'],
      /--rate-limit must be a whole number/,
    ],
    ['overage that is neither', ['plan', 'set', '--name', 'a', '--overage', 'maybe'], /true, false/],
    ['an empty name', ['tenant', 'create', '--name', ''], /1 to 200 characters/],
    [
      'no verifications to seed',
      ['demo', 'seed', '--tenant', nobody, '--verifications', 'x'],
      /whole number/,
    ],
  ]
  for (const [title, args, message] of wrong) {
    it(`(${title}) is one clear line, for people and for scripts, and exits 1`, async () => {
      const fault = await operator.fault(...args)
      expect(fault).to.have.all.keys('error', 'message')
      expect(fault.error).to.equal('INVALID_PARAMETERS')
      expect(fault.message).to.match(message)
      const people = await operator.text(...args)
      expect(people).to.deep.equal({ code: 1, out: '', err: `${fault.message}\n` })
    })
  }

  const refusedForTenant: [string, string[], string][] = [
    ['http', ['tenant', 'set-webhook', '--url', 'http://shop.example.com/'], 'INVALID_PARAMETERS'],
    ['neither URL nor --clear', ['tenant', 'set-webhook'], 'INVALID_PARAMETERS'],
    [
      'both URL and --clear',
      ['tenant', 'set-return-url', '--url', 'https://a.example.com', '--clear'],
      'INVALID_PARAMETERS',
    ],
    ['a secret to rotate before there is one', ['tenant', 'rotate-webhook-secret'], 'NOT_PROVISIONED'],
    ['an unknown scope', ['key', 'create', '--scopes', 'all'], 'INVALID_PARAMETERS'],
    ['an expiry that is no time', ['key', 'create', '--expires', 'tomorrow'], 'INVALID_PARAMETERS'],
  ]
  for (const [title, args, code] of refusedForTenant) {
    it(`(${title}) is refused with ${code} and changes nothing`, async () => {
      expect((await operator.fault(...args, '--tenant', tenantId)).error).to.equal(code)
      expect(await operator.json('key', 'list', '--tenant', tenantId)).to.deep.equal([])
    })
  }

  it('names a token that is not there with the code of the tenant API', async () => {
    const fault = await operator.fault('token', 'revoke', '--verification', nobody)
    expect(fault.error).to.equal('VERIFICATION_NOT_FOUND')
  })

  it('opens no database before it is understood', async () => {
    const { code, err } = await operate({ DATABASE_URL: 'postgres://127.0.0.1:1/none' }, 'tenant', 'show')
    expect({ code, err }).to.deep.equal({ code: 1, err: "Required option '--tenant <id>' not specified\n" })
  })

  it('says that the database is away, and why', async () => {
    const env = { DATABASE_URL: 'postgres://127.0.0.1:1/none' }
    const { code, err } = await operate(env, 'tenant', 'list', '--json')
    expect(code).to.equal(1)
    const fault = JSON.parse(err)
    expect(fault.error).to.equal('DATABASE_ERROR')
    expect(fault.message).to.include('ECONNREFUSED')
  })

  it('says that the database does not let it in', async () => {
    const url = new URL(operator.url)
    url.username = 'nobody'
    const { code, err } = await operate({ DATABASE_URL: url.href }, 'tenant', 'list', '--json')
    expect(code).to.equal(1)
    expect(JSON.parse(err).error).to.equal('DATABASE_ERROR')
    expect(JSON.parse(err).message).to.include('authentication failed for user "nobody"')
  })

  it('says which variable of the environment is wrong', async () => {
    const { code, err } = await operate({ DATABASE_URL: 'mysql://x', PORT: 'x' }, 'tenant', 'list', '--json')
    expect(code).to.equal(1)
    const fault = JSON.parse(err)
    expect(fault.error).to.equal('CONFIGURATION_ERROR')
    expect(fault.message).to.match(/DATABASE_URL .*PORT|PORT .*DATABASE_URL/)
  })
})

describe('the operator’s help', () => {
  for (const args of [['--help'], ['tenant', '--help'], ['key', 'create', '--help'], ['-h']]) {
    it(`explains ${args.join(' ')} on standard output, without a database`, async () => {
      const { code, out, err } = await operate({ DATABASE_URL: 'postgres://127.0.0.1:1/none' }, ...args)
      expect({ code, err }).to.deep.equal({ code: 0, err: '' })
      expect(out).to.match(/^Usage: operator /)
    })
  }

  it('names every noun and gives examples', async () => {
    const { out } = await operate({}, '--help')
    for (const noun of ['tenant', 'member', 'key', 'plan', 'token', 'signing-key', 'demo']) {
      expect(out).to.match(new RegExp(`^  ${noun} `, 'm'))
    }
    expect(out).to.include('Examples:')
  })
})
