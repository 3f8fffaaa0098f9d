#!/usr/bin/env node
import { parseArgs } from 'node:util'
import { runtimeFetch } from '../fetch-within.ts'
import { assertText, withoutTrailingSlash } from '../options.ts'
import { ServiceConnection } from '../service-connection.ts'
import { describeAttempt } from './describe-attempt.ts'
import { forward } from './forward.ts'
import { listen } from './listen.ts'

const usage = `Usage: age-verification listen --forward-to URL

Sends each webhook event of your test tenant to a URL that only this machine reaches, as the service sends it.

  --forward-to URL        your receiver, such as http://127.0.0.1:8080/webhooks
  --base-url URL          the service; SERVICE_URL or AGE_VERIFICATION_URL by default
  --api-key KEY           a key of the test tenant; API_KEY or AGE_VERIFICATION_API_KEY by default
  --retry-delays 1,2      seconds before an event that has failed is sent again, for a tenant without a webhook URL
  --replay                begin with the events of the last 24 hours
  --print-json            print each attempt as a line of JSON
`

const { env } = process
process.on('SIGINT', () => process.exit(0))
process.on('SIGTERM', () => process.exit(0))

async function run(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      'forward-to': { type: 'string' },
      'base-url': { type: 'string', default: env.AGE_VERIFICATION_URL || env.SERVICE_URL || '' },
      'api-key': { type: 'string', default: env.AGE_VERIFICATION_API_KEY || env.API_KEY || '' },
      'retry-delays': { type: 'string', default: '1,2' },
      replay: { type: 'boolean', default: false },
      'print-json': { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  })
  if (values.help) return void process.stdout.write(usage)
  if (positionals.join(' ') !== 'listen') throw new TypeError(`The only command is listen.\n\n${usage}`)
  const forwardTo = readReceiver(values['forward-to'])
  const { 'base-url': address, 'api-key': apiKey, 'print-json': printsJson } = values
  const baseUrl = readOption('--base-url (or SERVICE_URL)', () => withoutTrailingSlash('baseUrl', address))
  readOption('--api-key (or API_KEY)', () => assertText('apiKey', apiKey))
  const retryDelaysMs = readDelays(values['retry-delays'])
  // Standard output has nothing but the JSON.
  const say = printsJson ? console.error : console.log
  await listen({
    service: new ServiceConnection({ baseUrl, apiKey, fetch: runtimeFetch }),
    after: values.replay ? '0' : 'latest',
    onListening: () => say(introduction(baseUrl, forwardTo)),
    onEvent: event =>
      forward(event, {
        forwardTo,
        retryDelaysMs,
        onAttempt: attempt => console.log(printsJson ? JSON.stringify(attempt) : describeAttempt(attempt)),
      }),
    onInterruption: ({ message }) => console.error(`${message} It is asked again.${proxyHint()}`),
  })
}

function introduction(baseUrl: string, forwardTo: string): string {
  return `Listening at ${baseUrl}, and forwarding to ${forwardTo}, until Ctrl-C.
Events are signed with your test tenant's webhook secret: dashboard, Settings, Webhook.`
}

/** Node leaves the variables of a proxy alone, unless it is told to. */
function proxyHint(): string {
  const name = Object.keys(env).find(name => /^https?_proxy$/i.test(name))
  return name && !env.NODE_USE_ENV_PROXY
    ? ` Node 24 uses the proxy of ${name} with NODE_USE_ENV_PROXY=1.`
    : ''
}

/** A host and a port without `http://` are a URL, too. */
function readReceiver(given = ''): string {
  const url = /^[\w.-]+:\d+(\/|$)/.test(given) ? `http://${given}` : given
  if (/^https?:\/\//i.test(url) && URL.canParse(url)) return url
  throw new TypeError('--forward-to must be the http or https URL of your receiver')
}

function readDelays(text: string): number[] {
  const delays = text.split(',').map(part => (part.trim() === '' ? Number.NaN : Number(part) * 1000))
  if (delays.length === 2 && delays.every(delay => delay >= 0 && delay <= 86_400_000)) return delays
  throw new TypeError('--retry-delays must be two numbers of seconds, such as 60,600')
}

/** Names the option as it is spelt here. */
function readOption<Value>(name: string, read: () => Value): Value {
  try {
    return read()
  } catch (error) {
    throw new TypeError(`${name}: ${(error as Error).message}`)
  }
}

run().catch((error: Error & { code?: unknown }) => {
  const isUnknownRoute = error.code === 'ROUTE_NOT_FOUND'
  const hint = isUnknownRoute ? ' The service has no test tenants, or is older than this client.' : ''
  console.error(`error: ${error.message}${hint}`)
  process.exit(1)
})
