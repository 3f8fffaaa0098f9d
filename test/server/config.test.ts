import { expect } from 'chai'
import { readConfig } from '#server/configuration/config.ts'
import { configuredProvider } from '#server/configuration/identity-providers.ts'
import { assertRequiredSettings } from '#server/configuration/required-settings.ts'
import { findConfigErrors } from './config-errors.ts'
import { realDependencies } from './real-dependencies.ts'

const required = [
  'DATABASE_URL',
  'ENCRYPTION_KEY',
  'VERIFF_BASE_URL',
  'VERIFF_API_KEY',
  'VERIFF_SHARED_SECRET',
  'OIDC_ISSUER',
  'OIDC_AUDIENCE',
]
const real = { ...realDependencies, DATABASE_URL: 'postgres://db.example/verify?sslmode=verify-full' }

/** The lines with which a start with these variables is rejected. */
const rejection = (env: Record<string, string>) =>
  findConfigErrors(() => assertRequiredSettings(readConfig(env)))
const missing = (env: Record<string, string>) => rejection(env).map(line => line.split(' ')[0])

describe('A configuration', () => {
  it('needs no real dependency where HOST and BASE_URL are loopback addresses', () => {
    for (const HOST of ['127.0.0.1', '127.1.2.3', '::1', 'localhost']) {
      expect(rejection({ HOST }), HOST).to.deep.equal([])
    }
    for (const BASE_URL of ['http://127.0.0.1:8080', 'http://localhost', 'http://[::1]:3000', '']) {
      expect(rejection({ BASE_URL }), BASE_URL).to.deep.equal([])
    }
  })

  it('needs every real dependency where HOST is not loopback', () => {
    for (const HOST of ['0.0.0.0', '::', '10.0.0.5', 'verify.internal', '128.0.0.1']) {
      expect(missing({ HOST }), HOST).to.deep.equal(required)
    }
    expect(rejection({ HOST: '0.0.0.0' })[0]).to.equal(
      'DATABASE_URL is required: HOST 0.0.0.0 is not a loopback address',
    )
  })

  it('needs every real dependency where BASE_URL is https or not loopback', () => {
    for (const BASE_URL of ['https://verify.example', 'http://verify.example', 'https://localhost:3000']) {
      expect(missing({ BASE_URL }), BASE_URL).to.deep.equal(required)
    }
  })

  it('lists exactly the missing dependencies, and counts an empty variable as missing', () => {
    const production = { HOST: '0.0.0.0', BASE_URL: 'https://verify.example', ...real }
    expect(rejection(production)).to.deep.equal([])
    for (const name of required) expect(missing({ ...production, [name]: '' })).to.deep.equal([name])
    expect(missing({ ...production, VERIFF_API_KEY: '', OIDC_ISSUER: '', DATABASE_URL: '' })).to.deep.equal([
      'DATABASE_URL',
      'VERIFF_API_KEY',
      'OIDC_ISSUER',
    ])
  })

  it('lets users provision tenants by default only where it needs no real dependency', () => {
    const provisioningOf = (env: Record<string, string>) => readConfig(env).provisioning
    for (const env of [{}, real, { HOST: '0.0.0.0', ALLOW_SIMULATORS: 'true' }]) {
      expect(provisioningOf(env)).to.equal('open')
      expect(provisioningOf({ ...env, PROVISIONING: 'closed' })).to.equal('closed')
    }
    for (const exposed of [{ HOST: '0.0.0.0' }, { BASE_URL: 'https://verify.example' }]) {
      expect(provisioningOf({ ...real, ...exposed })).to.equal('closed')
      expect(provisioningOf({ ...real, ...exposed, PROVISIONING: 'open' })).to.equal('open')
    }
  })

  const previous = {
    VERIFF_PREVIOUS_BASE_URL: 'https://stationapi.veriff.com/',
    VERIFF_PREVIOUS_API_KEY: 'B3C1F1D2-7C5E-4F0A-9A35-0D8C5C5E2B11',
    VERIFF_PREVIOUS_SHARED_SECRET: 'one, two',
  }

  it('can have the integration that was replaced, with all of its settings or none', () => {
    const production = { ...real, HOST: '0.0.0.0', BASE_URL: 'https://verify.example' }
    for (const base of [real, production]) {
      expect(rejection({ ...base, ...previous })).to.deep.equal([])
      const integration = configuredProvider(readConfig({ ...base, ...previous }))
      expect(integration?.previous).to.deep.equal({
        name: 'veriff',
        baseUrl: 'https://stationapi.veriff.com',
        apiKey: 'b3c1f1d2-7c5e-4f0a-9a35-0d8c5c5e2b11',
        sharedSecrets: ['one', 'two'],
      })
      expect(configuredProvider(readConfig(base))).not.to.have.property('previous')
      for (const name of Object.keys(previous)) {
        expect(rejection({ ...base, ...previous, [name]: '' })).to.deep.equal([
          `${name} is missing: set all of ${Object.keys(previous).join(', ')}, or none`,
        ])
      }
    }
    expect(missing({ ...previous })).to.deep.equal(required.filter(name => name.startsWith('VERIFF_')))
    expect(rejection({ ...real, ...previous, VERIFF_PREVIOUS_SHARED_SECRET: ', ,' })).to.deep.equal([
      'VERIFF_PREVIOUS_SHARED_SECRET must have at least one secret',
    ])
  })

  it('rejects plain http for the sign-in and the identity provider, except on loopback', () => {
    for (const name of ['OIDC_ISSUER', 'VERIFF_BASE_URL', 'VERIFF_PREVIOUS_BASE_URL']) {
      for (const host of ['sign-in.example', '10.0.0.5', '127.0.0.1.example']) {
        expect(rejection({ ...real, ...previous, [name]: `http://${host}` })).to.deep.equal([
          `${name} must start with https://; http:// is allowed for loopback addresses only`,
        ])
      }
      for (const url of [
        'http://127.0.0.1:9',
        'http://localhost:8080',
        'http://[::1]',
        'https://a.example',
      ]) {
        expect(rejection({ ...real, ...previous, [name]: url }), url).to.deep.equal([])
      }
    }
  })

  const spellings: Record<string, string> = {
    'https://verify.example': 'https://verify.example',
    'https://verify.example/av/': 'https://verify.example/av',
    'HTTPS://Verify.Example:443/AV': 'https://verify.example/AV',
    'https://verify.example:8443//': 'https://verify.example:8443',
    'https://prüfung.example/a/../b': 'https://xn--prfung-4ya.example/b',
    'https:\\\\verify.example\\av': 'https://verify.example/av',
    'http://127.1:80/': 'http://127.0.0.1',
    'http://[0:0:0:0:0:0:0:1]:3000': 'http://[::1]:3000',
  }
  for (const [given, expected] of Object.entries(spellings)) {
    it(`has one spelling of ${given}`, () => {
      const env = { ...realDependencies, ...previous, DATABASE_URL: 'postgres://localhost/av' }
      const config = readConfig({
        ...env,
        DASHBOARD_URL: given,
        OTEL_EXPORTER_OTLP_ENDPOINT: given,
      })
      expect(config).to.include({ dashboardUrl: expected, otlpEndpoint: expected })
      expect(readConfig({ ...env, VERIFF_BASE_URL: given }).veriffBaseUrl).to.equal(expected)
      // It must be the issuer's own to the character.
      expect(readConfig({ ...env, OIDC_ISSUER: given }).oidcIssuer).to.equal(given)
    })
  }

  it('rejects a public address with a path, which the service would not be found at', () => {
    expect(readConfig({ ...real, BASE_URL: 'HTTPS://Verify.Example:443/' }).baseUrl).to.equal(
      'https://verify.example',
    )
    expect(rejection({ ...real, BASE_URL: 'https://example.com/age/' })).to.deep.equal([
      'BASE_URL must have no path: give the service a host name of its own, such as https://age.example.com',
    ])
  })

  it('rejects addresses with credentials, blanks or control characters, in a line without the value', () => {
    for (const name of [
      'BASE_URL',
      'DASHBOARD_URL',
      'VERIFF_BASE_URL',
      'OIDC_ISSUER',
      'OTEL_EXPORTER_OTLP_ENDPOINT',
    ]) {
      for (const [url, reason] of [
        ['https://me:hush@verify.example', 'must have no user and no password'],
        ['https://hush@verify.example/av', 'must have no user and no password'],
        ['https://verify.example/hush hush', 'must have no blanks and no control characters'],
        ['https://verify.example/hush\thush', 'must have no blanks and no control characters'],
        ['https://verify.\u200bexample/hush', 'must have no blanks and no control characters'],
        ['verify.example/hush', 'must be a URL that starts with http:// or https://'],
      ] as const) {
        expect(rejection({ ...real, ...previous, [name]: url }), url).to.deep.equal([`${name} ${reason}`])
      }
    }
  })

  it('rejects a database on another machine without TLS, unless the URL asks for it', () => {
    const here = ['127.0.0.1', 'localhost:6432', '[::1]', '%2Frun%2Fpostgresql', '']
    const rejectionOf = (url: string) => rejection({ ...real, DATABASE_URL: url })
    for (const host of ['db', '10.0.0.5:5432', '[fd00::5]', '127.0.0.1.example']) {
      const url = `postgres://me:hush@${host}/verify`
      const [line, ...others] = rejectionOf(`${url}?connect_timeout=9`)
      expect(line, url).to.match(
        /^DATABASE_URL leads to \S+ without TLS: add sslmode=verify-full, or sslmode=disable if the network is trusted$/,
      )
      expect([line, ...others].join())
        .not.to.contain('hush')
        .and.not.to.contain('\n')
      expect(others).to.deep.equal([])
      for (const mode of ['disable', 'no-verify', 'prefer', 'require', 'verify-full']) {
        expect(rejectionOf(`${url}?sslmode=${mode}`), `${url} ${mode}`).to.deep.equal([])
      }
    }
    for (const host of here) expect(rejectionOf(`postgres://me@${host}/verify`), host).to.deep.equal([])
    expect(rejection({ ...real, DATABASE_URL: 'postgres:///verify?host=10.0.0.5' })).to.deep.equal([
      'DATABASE_URL leads to 10.0.0.5 without TLS: add sslmode=verify-full, or sslmode=disable if the network is trusted',
    ])
  })

  it('rejects an OIDC_AUDIENCE that equals OIDC_CLIENT_ID, also the default one', () => {
    const line =
      'OIDC_AUDIENCE must differ from OIDC_CLIENT_ID, or an ID token would be accepted as an access token'
    expect(rejection({ ...real, OIDC_AUDIENCE: 'dashboard' })).to.deep.equal([line])
    expect(rejection({ ...real, OIDC_CLIENT_ID: 'console' })).to.deep.equal([line])
    expect(rejection({ ...real, OIDC_AUDIENCE: 'dashboard', OIDC_CLIENT_ID: 'spa' })).to.deep.equal([])
  })
})
