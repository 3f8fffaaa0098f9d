/** Opens and closes the parts of a service, and prints which packages of OpenTelemetry were loaded, and by which files. */
import { registerHooks } from 'node:module'

const loaded: string[] = []
registerHooks({
  resolve(specifier, context, next) {
    if (specifier.startsWith('@opentelemetry/')) loaded.push(`${specifier} by ${context.parentURL}`)
    return next(specifier, context)
  },
})

const [databaseUrl, veriffBaseUrl, otlpEndpoint] = process.argv.slice(2) as [
  string,
  string,
  string | undefined,
]
const { readConfig } = await import('#server/configuration/config.ts')
const { createLog } = await import('#server/logging/log.ts')
const { noWaitingRequests } = await import('#domain/ports.ts')
const { createServices } = await import('#server/services.ts')
await import('#server/start/start-service.ts')
const services = await createServices({
  config: readConfig(otlpEndpoint ? { OTEL_EXPORTER_OTLP_ENDPOINT: otlpEndpoint } : {}),
  dependencies: {
    databaseUrl,
    encryptionKeys: [Buffer.alloc(32, 7).toString('base64')],
    provider: { name: 'veriff', baseUrl: veriffBaseUrl, apiKey: 'key', sharedSecrets: ['secret'] },
    oidc: { issuer: 'http://127.0.0.1:9/none', audience: 'console', clientId: 'dashboard' },
    receiverAuthorities: undefined,
  },
  log: createLog('silent'),
  notifier: { notify() {} },
  waitingRequests: noWaitingRequests,
})
await services.close()
console.log(JSON.stringify(loaded))
