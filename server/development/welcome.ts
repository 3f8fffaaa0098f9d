import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { styleText } from 'node:util'
import { forTenant } from '#domain/scope.ts'
import { acceptableSecrets } from '#domain/tenant/acceptable-secrets.ts'
import type { Config } from '../config.ts'
import type { Services } from '../services.ts'
import { type DemoTenant, ensureDemoTenant } from './demo-tenant.ts'
import type { Embedded } from './start-embedded.ts'

/** What the terminal says after an embedded start: where everything is, the demo tenant, and one line to try it. */
export async function welcome(config: Config, embedded: Embedded, services: Services): Promise<string> {
  const { receiver } = embedded
  const operator = () => services.scopeFor({ kind: 'operator' })
  const demo = await ensureDemoTenant(operator, receiver?.webhookUrl)
  receiver?.checkWith(tenantId => acceptableSecrets(forTenant(operator(), tenantId)))
  await writeAddresses(config, embedded)
  return [
    '',
    styleText('bold', 'The age verification service is up.'),
    '',
    ...addressLines(config, embedded),
    '',
    ...(demo && config.ROLE !== 'worker' ? tenantLines(config, demo) : []),
    styleText('dim', 'Ctrl-C ends everything.'),
    '',
  ].join('\n')
}

function addressLines({ baseUrl, dashboardUrl }: Config, embedded: Embedded): string[] {
  const { veriffUrl, signInUrl, receiver, folder } = embedded
  const rows: [name: string, address: string | undefined, remark: string][] = [
    ['Service', baseUrl, 'documents at /docs, OpenAPI at /openapi.json'],
    ['Dashboard', dashboardUrl, ''],
    ['Veriff', veriffUrl, 'a local stand-in of the identity provider'],
    ['Sign-in', signInUrl, 'local: pick a user, there is no password'],
    ['Events', receiver?.viewUrl, "what the demo tenant's receiver got"],
    ['Data', folder, ''],
  ]
  return rows
    .filter(([, address]) => address !== undefined)
    .map(
      ([name, address, remark]) =>
        `  ${name.padEnd(11)}${address}${remark ? styleText('dim', `   ${remark}`) : ''}`,
    )
}

function tenantLines({ baseUrl }: Config, { tenantId, apiKey }: DemoTenant): string[] {
  const another = `npm run operator -- key create --tenant ${tenantId}`
  return [
    `  ${'Demo tenant'.padEnd(12)}${tenantId}`,
    apiKey
      ? `  ${'API key'.padEnd(12)}${styleText('green', apiKey)}${styleText('dim', '   shown this once')}`
      : `  ${'API key'.padEnd(12)}shown on the first start only; make another: ${another}`,
    '',
    'Start a verification, then open its sessionUrl in a browser:',
    '',
    `  curl -X POST ${baseUrl}/verify/start -H 'x-tenant-api-key: ${apiKey ?? 'YOUR_KEY'}' -H 'content-type: application/json' -d '{}'`,
    '',
  ]
}

/** For scripts on this machine. */
async function writeAddresses({ baseUrl, dashboardUrl }: Config, embedded: Embedded): Promise<void> {
  const { veriffUrl, signInUrl, receiver, folder } = embedded
  const { viewUrl: eventsUrl, webhookUrl } = receiver ?? {}
  const addresses = { baseUrl, dashboardUrl, veriffUrl, signInUrl, eventsUrl, webhookUrl }
  await writeFile(join(folder, 'addresses.json'), `${JSON.stringify(addresses, null, 2)}\n`)
}
