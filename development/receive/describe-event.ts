import { styleText } from 'node:util'
import { z } from 'zod'
import { printable } from '#server/printable.ts'
import type { HandledEvent } from './event-server.ts'

const content = z.object({
  event: z.string(),
  data: z.object({ verificationId: z.string(), status: z.string() }),
})

/** The lines that the terminal shows for an event. `count` is how often its verification was received so far. */
export function describeEvent(event: HandledEvent, secretCount: number, count: number): string {
  const { receivedAt, body } = event
  const text = body.toString('utf8')
  const parsed = content.safeParse(parseJson(text)).data
  const title = parsed
    ? `${printable(parsed.event)}  ${styleText('bold', printable(parsed.data.status))}  ${printable(parsed.data.verificationId)}`
    : 'not an event'
  const received = count > 1 ? `; received ${count} times` : ''
  const lines = [
    `${receivedAt.toTimeString().slice(0, 8)}  ${title}`,
    `${signatureText(event, secretCount)}; ${responseText(event)}${received}`,
    styleText('dim', printable(text)),
  ]
  return lines.join('\n          ')
}

/** The verification that an event is about; undefined if it is not an event. */
export function verificationOf({ body }: HandledEvent): string | undefined {
  return content.safeParse(parseJson(body.toString('utf8'))).data?.data.verificationId
}

function signatureText({ secret }: HandledEvent, secretCount: number): string {
  if (secretCount === 0) return styleText('yellow', 'signature not verified: no secret is known')
  if (secret === -1) return styleText('red', `signature INVALID with each of ${secretCount} secrets`)
  return styleText('green', `signature valid, with secret ${secret + 1} of ${secretCount}`)
}

function responseText({ status, forwardError, abandoned }: HandledEvent): string {
  if (abandoned) return styleText('yellow', `${status} not sent: the sender closed the connection before`)
  const failure = forwardError === undefined ? '' : ` (not forwarded: ${printable(forwardError)})`
  return `responded ${status}${failure}`
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
