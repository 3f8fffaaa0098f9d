import { expect } from 'chai'
import { environmentVariables } from '#server/configuration/config.ts'
import { describeUnknownVariables } from '#server/configuration/unknown-variables.policy.ts'

const warnings = (...names: string[]) =>
  describeUnknownVariables(Object.fromEntries(names.map(name => [name, 'x'])), environmentVariables)

describe('Unknown environment variables', () => {
  it('are reported with the name of the setting that they resemble', () => {
    const misspelled: Record<string, string> = {
      REDIS_UR: 'REDIS_URL',
      REDSI_URL: 'REDIS_URL',
      redis_url: 'REDIS_URL',
      DATABSE_URL: 'DATABASE_URL',
      VERIF_API_KEY: 'VERIFF_API_KEY',
      VERIFF_SHARED_SECRETS: 'VERIFF_SHARED_SECRET',
      ODIC_ISSUER: 'OIDC_ISSUER',
      OIDC_ISUER: 'OIDC_ISSUER',
      BASE_URI: 'BASE_URL',
      ENCRYPTON_KEY: 'ENCRYPTION_KEY',
      ENCRYPTION_KEY_FIL: 'ENCRYPTION_KEY_FILE',
      WEB_CONCURENCY: 'WEB_CONCURRENCY',
    }
    for (const [name, setting] of Object.entries(misspelled)) {
      expect(warnings(name)).to.deep.equal([`${name} is not a setting; did you mean ${setting}?`])
    }
  })

  it('are reported without a suggestion if they have a prefix of the settings and resemble none', () => {
    const unknown = ['DATABASE_CONNECTION_LIMIT', 'OIDC_CLIENT_SECRET', 'VERIFF_REGION', 'WEBHOOK_TIMEOUT_MS']
    expect(warnings(...unknown)).to.deep.equal(unknown.map(name => `${name} is not a setting`))
  })

  it('are not reported if they are settings, or name a file with the value of one', () => {
    expect(warnings(...environmentVariables)).to.deep.equal([])
    expect(warnings(...environmentVariables.map(name => `${name}_FILE`))).to.deep.equal([])
  })

  it('are compared with those that OpenTelemetry reads, too', () => {
    expect(warnings('OTEL_SERVICE_NAME', 'OTEL_EXPORTER_OTLP_TRACES_CLIENT_KEY')).to.deep.equal([])
    expect(warnings('OTEL_METRICS_EXPORTER', 'OTEL_EXPORTER_OTLP_METRICS_ENDPOINT')).to.deep.equal([])
    expect(warnings('OTEL_TRACE_SAMPLER', 'OTEL_EXPORTER_OTLP_ENDPONT')).to.deep.equal([
      'OTEL_TRACE_SAMPLER is not a setting; did you mean OTEL_TRACES_SAMPLER?',
      'OTEL_EXPORTER_OTLP_ENDPONT is not a setting; did you mean OTEL_EXPORTER_OTLP_ENDPOINT?',
    ])
  })

  it('are not reported if they belong to the system, to npm, to Node or to a platform', () => {
    const foreign = [
      'HOME HOSTNAME HOSTTYPE PATH PWD TERM USER LOGNAME LANG TZ SHELL CI PGSSLMODE',
      'PORTS PORT_HTTP PORTAGE NODE_ENV NODE_OPTIONS NODE_EXTRA_CA_CERTS npm_config_cache',
      'SESSION_MANAGER XDG_DATA_DIRS XDG_SESSION_TYPE NO_PROXY HTTPS_PROXY',
      'REDIS_SERVICE_HOST REDIS_SERVICE_PORT REDIS_PORT_6379_TCP_ADDR DATABASE_SERVICE_PORT_PG',
    ].flatMap(names => names.split(' '))
    expect(warnings(...foreign)).to.deep.equal([])
    const links = { REDIS_PORT: 'tcp://10.0.0.11:6379', DATABASE_PORT: 'tcp://10.0.0.12:5432' }
    expect(describeUnknownVariables(links, environmentVariables)).to.deep.equal([])
  })
})
