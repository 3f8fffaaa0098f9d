import { styleText } from 'node:util'

export interface StartedReceiver {
  webhookUrl: string
  /** The tenant whose webhook URL it is. */
  tenantId: string | undefined
  forwardTo: string | undefined
  secrets: readonly string[]
  /** Path of the certificate that the sender must trust. */
  authorityFile: string
  /** The tenant of the command that sets the URL. */
  demoTenant: string | undefined
}

/** What the terminal shows once the receiver listens: its address, and how events get there. */
export function describeStart(receiver: StartedReceiver): string {
  const { webhookUrl, tenantId, forwardTo, secrets, authorityFile } = receiver
  const verified = `events are verified with ${secrets.length === 1 ? '1 secret' : `${secrets.length} secrets`}`
  const trust = `A service on this machine with the same DATA_DIR trusts its certificate, ${authorityFile}.`
  const lines = [`${styleText('bold', `Receiving webhook events at ${webhookUrl}`)} (Ctrl-C to stop)`]
  if (forwardTo) lines.push(`Passing them on to ${forwardTo}.`)
  if (tenantId) lines.push(`It is the webhook URL of the tenant ${tenantId} until you stop it; ${verified}.`)
  else lines.push(...manualSteps(receiver, verified))
  return [...lines, styleText('dim', trust)].join('\n')
}

function manualSteps({ webhookUrl, demoTenant, secrets }: StartedReceiver, verified: string): string[] {
  const tenant = demoTenant ?? 'TENANT_ID'
  return [
    'Set it as the webhook URL, in the dashboard under Settings or with',
    `  npm run --silent operator -- tenant set-webhook --tenant ${tenant} --url ${webhookUrl}`,
    secrets.length > 0
      ? `Then complete a verification; ${verified}.`
      : 'and start again with --secret and the webhook secret, to have signatures verified.',
  ]
}
