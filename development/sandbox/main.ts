/** `npm run sandbox -- COMMAND`: runs a command, such as your tests, with a temporary service. Exits with its exit code. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Command } from 'commander'
import { readEnvironment } from '#server/configuration/read-environment.ts'
import { type LocalService, startService } from '../local-service.ts'
import { httpUrl } from '../option-values.ts'
import { runProgram } from '../run-program.ts'
import { receiveEvents } from '../webhook-receiver/receive-events.ts'
import { runCommand } from './run-command.ts'

const environmentHelp = `
The command gets these environment variables:
  SERVICE_URL      the address of the service
  API_KEY          an API key of its tenant, with all scopes
  TENANT_ID        the tenant
  WEBHOOK_SECRETS  the webhook secret of the tenant
  EVENTS_URL       the webhook events that were received, as JSON; without --forward-to only`

await runProgram(async ({ closing, stopped }) => {
  const { command, forwardTo } = readArguments()
  const env = readEnvironment()
  // Retries of webhook events come soon, so that tests need not wait for minutes.
  const service = await startService(closing, console.error, { WEBHOOK_RETRY_DELAYS: '1,2' })
  const { dataFolder, baseUrl, eventsUrl } = service
  const TENANT_ID = (await readFile(join(dataFolder, 'demo-tenant'), 'utf8')).trim()
  const tenant = ['--tenant', TENANT_ID]
  const url = forwardTo ? await forward(service, forwardTo, closing) : service.webhookUrl
  const { apiKey: API_KEY } = await service.operate<{ apiKey: string }>('key', 'create', ...tenant)
  const setWebhook = ['tenant', 'set-webhook', ...tenant, '--url', url]
  const webhook = await service.operate<{ webhookSecret: string }>(...setWebhook)
  const variables = {
    SERVICE_URL: baseUrl,
    API_KEY,
    TENANT_ID,
    WEBHOOK_SECRETS: webhook.webhookSecret,
    ...(forwardTo ? {} : { EVENTS_URL: eventsUrl }),
  }
  return await runCommand(command, { ...env, ...variables }, stopped)
})

function readArguments(): { command: string[]; forwardTo?: string } {
  const program = new Command('npm run sandbox --')
    .description('Start a temporary service, run a command such as your tests, and stop the service.')
    .argument('<command...>', 'the command and its arguments')
    .option(
      '--forward-to <url>',
      'pass webhook events on to this address, such as http://127.0.0.1:8080',
      httpUrl,
    )
    .passThroughOptions()
    .addHelpText('after', environmentHelp)
    .exitOverride()
    .parse()
  return { command: program.args, ...program.opts<{ forwardTo?: string }>() }
}

/** Returns the URL of an https endpoint that passes events on. The service trusts the certificate of its data folder. */
async function forward(
  { dataFolder }: LocalService,
  forwardTo: string,
  closing: AsyncDisposableStack,
): Promise<string> {
  const { url, close } = await receiveEvents({
    port: 0,
    path: '/webhooks',
    folder: dataFolder,
    secretsFor: () => undefined,
    onEvent({ forwardError }) {
      if (forwardError) console.error(`A webhook event could not be passed on: ${forwardError}`)
    },
    onError: ({ message }) => console.error(`A webhook event could not be received: ${message}`),
    forwardTo,
  })
  closing.defer(close)
  return url
}
