import { readFileSync } from 'node:fs'
import { expect } from 'chai'
import { type OperatorOnDatabase, openOperator, operate } from './operate.ts'

const unknownId = '01a00000-0000-7000-8000-000000000000'

describe('an operator command', () => {
  let operator: OperatorOnDatabase
  let tenantId: string
  before(async () => {
    operator = await openOperator()
    tenantId = (await operator.json('tenant', 'create', '--name', 'Shop')).tenantId
  })
  after(() => operator.close())

  const unknownTenant = `--tenant ${unknownId}`
  /** What is wrong, and a command with it, whose arguments one space separates. */
  const wrong: [string, string, RegExp][] = [
    ['a noun without a verb', 'tenant', /Incomplete command/],
    [
      'an unknown noun',
      'tenent list',
      /^Unknown command 'tenent' \(Did you mean tenant\?\); `operator --help` lists the commands$/,
    ],
    [
      'an unknown verb',
      'tenant lst',
      /^Unknown command 'lst' \(Did you mean list\?\); `operator tenant --help` lists the commands$/,
    ],
    [
      'an unknown option',
      `key list ${unknownTenant} --limit`,
      /^Unknown option '--limit'; `operator key list --help` lists the options$/,
    ],
    ['an option without its value', 'tenant show --tenant', /--tenant <id>' argument missing/],
    ['an extra argument', 'tenant list now', /Too many arguments/],
    ['an unknown tenant', `tenant show ${unknownTenant}`, new RegExp(`No tenant has the id ${unknownId}`)],
    ['an unknown key', `key revoke --key ${unknownId}`, /No key has the id/],
    ['an unknown role', `member add ${unknownTenant} --subject a --role boss`, /viewer, developer, owner/],
    ['an unknown state', `tenant set-subscription ${unknownTenant} --state x`, /active, inactive/],
    ['an overage that is neither true nor false', 'plan set --name a --overage maybe', /true, false/],
    ['a limit that is no number', 'plan set --name a --rate-limit -5', /--rate-limit must be a whole number/],
    ['too many verifications', `demo seed ${unknownTenant} --verifications 10001`, /1 to 10,000/],
  ]
  for (const [title, command, message] of wrong) {
    it(`prints one line, as text or JSON, and exits with code 1 for ${title}`, async () => {
      const args = command.split(' ')
      const error = await operator.error(...args)
      expect(error).to.have.all.keys('error', 'message')
      expect(error.error).to.equal('INVALID_PARAMETERS')
      expect(error.message).to.match(message)
      const text = await operator.text(...args)
      expect(text).to.deep.equal({ code: 1, out: '', err: `${error.message}\n` })
    })
  }

  const rejectedForTenant: [string, string, code?: string][] = [
    ['neither --url nor --clear', 'tenant set-webhook'],
    ['both --url and --clear', 'tenant set-return-url --url https://a.example.com --clear'],
    ['no secret to rotate', 'tenant rotate-webhook-secret', 'NOT_PROVISIONED'],
    ['an unknown scope', 'key create --scopes all'],
    ['an expiry that is not a time', 'key create --expires tomorrow'],
  ]
  for (const [title, command, code = 'INVALID_PARAMETERS'] of rejectedForTenant) {
    it(`fails with ${code} and changes nothing for ${title}`, async () => {
      const { error } = await operator.error(...command.split(' '), '--tenant', tenantId)
      expect(error).to.equal(code)
      expect(await operator.json('key', 'list', '--tenant', tenantId)).to.deep.equal([])
    })
  }

  it('fails with the error code of the tenant API for an unknown verification', async () => {
    const error = await operator.error('token', 'revoke', '--verification', unknownId)
    expect(error.error).to.equal('VERIFICATION_NOT_FOUND')
  })

  it('opens no database connection for invalid arguments', async () => {
    const { code, err } = await operate({ DATABASE_URL: 'postgres://127.0.0.1:1/none' }, 'tenant', 'show')
    expect({ code, err }).to.deep.equal({ code: 1, err: "Required option '--tenant <id>' not specified\n" })
  })

  it('reports that the database is unavailable, or rejects the password', async () => {
    const url = new URL(operator.url)
    url.username = 'nobody'
    for (const [DATABASE_URL, reason] of [
      ['postgres://127.0.0.1:1/none', 'ECONNREFUSED'],
      [url.href, 'authentication failed for user "nobody"'],
    ] as const) {
      const { code, err } = await operate({ DATABASE_URL }, 'tenant', 'list', '--json')
      expect(code).to.equal(1)
      const { error, message } = JSON.parse(err)
      expect(error).to.equal('DATABASE_ERROR')
      expect(message).to.include(reason)
    }
  })

  it('reports invalid environment variables by name', async () => {
    const { code, err } = await operate({ DATABASE_URL: 'mysql://x', PORT: 'x' }, 'tenant', 'list', '--json')
    expect(code).to.equal(1)
    const error = JSON.parse(err)
    expect(error.error).to.equal('CONFIGURATION_ERROR')
    expect(error.message).to.match(/DATABASE_URL .*PORT|PORT .*DATABASE_URL/)
  })
})

describe('the operator’s help', () => {
  for (const args of [['--help'], ['tenant', '--help'], ['key', 'create', '--help'], ['-h']]) {
    it(`for ${args.join(' ')} is printed on standard output, without a database`, async () => {
      const { code, out, err } = await operate({ DATABASE_URL: 'postgres://127.0.0.1:1/none' }, ...args)
      expect({ code, err }).to.deep.equal({ code: 0, err: '' })
      expect(out).to.match(/^Usage: operator /)
    })
  }

  it('has the version and the commit', async () => {
    const { version } = JSON.parse(readFileSync('package.json', 'utf8'))
    const { commit, ...rest } = JSON.parse((await operate({}, '--version', '--json')).out)
    expect(rest).to.deep.equal({ version })
    expect(commit).to.match(/^([0-9a-f]{12}|unknown)$/)
    expect(await operate({}, '--version')).to.deep.equal({
      code: 0,
      out: `${version} (${commit})\n`,
      err: '',
    })
  })
})
