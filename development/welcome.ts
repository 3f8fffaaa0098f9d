import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { styleText } from 'node:util'
import { forTenant } from '#domain/scope.ts'
import { acceptableSecrets } from '#domain/tenant/webhook-secrets.ts'
import type { Config } from '#server/configuration/config.ts'
import type { Services } from '#server/services.ts'
import { type DemoTenant, ensureDemoTenant } from './demo-tenant.ts'
import type { Embedded } from './start-embedded.ts'

/**
 * Creates the demo tenant if nothing real would know it, and returns the text that is printed after an embedded start: the addresses of all parts,
 * the demo tenant, and a curl command to try. Also writes `addresses.json` to the data folder.
 */
export async function welcome(config: Config, embedded: Embedded, services: Services): Promise<string> {
  const { receiver } = embedded
  const operator = () => services.scopeFor({ kind: 'operator' })
  const demo = config.hasDemo
    ? await ensureDemoTenant(operator, embedded.folder, receiver?.webhookUrl)
    : undefined
  const secretsOf = (tenantId: string) => acceptableSecrets(forTenant(operator(), tenantId))
  const [secret] = demo ? await secretsOf(demo.tenantId) : []
  receiver?.verifyWith(secretsOf)
  await writeAddresses(config, embedded)
  return [
    '',
    styleText('bold', 'The age verification service is running.'),
    '',
    ...addressLines(config, embedded),
    '',
    ...(demo && config.role !== 'worker' ? tenantLines(config, demo, secret) : []),
    styleText('dim', 'Press Ctrl-C to stop.'),
    '',
  ].join('\n')
}

/** Of what is there: a worker serves metrics and health at most. */
function addressLines(config: Config, embedded: Embedded): string[] {
  const { baseUrl, dashboardUrl, role, host, metricsPort } = config
  const { signInUrl, receiver, folder } = embedded
  const served = role === 'worker' ? undefined : { baseUrl, dashboardUrl }
  const metricsUrl = metricsPort && `http://${host.includes(':') ? `[${host}]` : host}:${metricsPort}/metrics`
  const rows: [name: string, address: string | undefined, note: string][] = [
    ['Service', served?.baseUrl, 'documentation at /docs, OpenAPI at /openapi.json'],
    ['Dashboard', served?.dashboardUrl, ''],
    ['Metrics', metricsUrl || undefined, 'and health at /health/live and /health/ready'],
    ['Sign-in', signInUrl, 'local sign-in provider: choose a user, no password'],
    ['Events', receiver?.viewUrl, "webhook events that the demo tenant's receiver got"],
    ['Data', folder, ''],
  ]
  return rows
    .filter(([, address]) => address !== undefined)
    .map(
      ([name, address, note]) =>
        `  ${name.padEnd(11)}${address}${note ? styleText('dim', `   ${note}`) : ''}`,
    )
}

function tenantLines({ baseUrl }: Config, { tenantId, apiKey }: DemoTenant, secret: string | undefined) {
  const createKey = `npm run operator -- key create --tenant ${tenantId}`
  return [
    `  Demo tenant     ${tenantId}`,
    apiKey
      ? `  API key         ${styleText('green', apiKey)}${styleText('dim', '   shown only once')}`
      : `  API key         shown only on the first start; create another: ${createKey}`,
    ...(secret ? [`  Webhook secret  ${styleText('green', secret)}`] : []),
    '',
    'Start a verification, then open its sessionUrl in a browser:',
    '',
    `  curl -X POST ${baseUrl}/verify/start -H 'x-tenant-api-key: ${apiKey ?? 'YOUR_KEY'}' -H 'content-type: application/json' -d '{}'`,
    '',
  ]
}

/** Writes the addresses as JSON, for scripts on this machine such as the demo. */
async function writeAddresses({ baseUrl, dashboardUrl }: Config, embedded: Embedded): Promise<void> {
  const { signInUrl, receiver, folder } = embedded
  const { viewUrl: eventsUrl, webhookUrl } = receiver ?? {}
  const addresses = { baseUrl, dashboardUrl, signInUrl, eventsUrl, webhookUrl }
  await writeFile(join(folder, 'addresses.json'), `${JSON.stringify(addresses, null, 2)}\n`)
}
