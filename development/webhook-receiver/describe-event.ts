import { styleText } from 'node:util'
import { z } from 'zod'
import { printable } from '#server/logging/printable.ts'
import type { ReceivedEvent } from './receive-events.ts'

const summary = z
  .object({ event: z.string(), data: z.object({ verificationId: z.string(), status: z.string() }) })
  .transform(({ event, data }) => ({ event, ...data }))

/** What an event is about; undefined if the body is not an event. */
export function readSummary(body: unknown): z.infer<typeof summary> | undefined {
  return summary.safeParse(body).data
}

/** The lines that the terminal shows for an event. `count` is how often its verification was received so far. */
export function describeEvent(event: ReceivedEvent, count: number): string {
  const about = readSummary(event.body)
  const title = about
    ? `${printable(about.event)}  ${styleText('bold', printable(about.status))}  ${printable(about.verificationId)}`
    : 'not an event'
  const received = count > 1 ? `; received ${count} times` : ''
  const lines = [
    `${new Date(event.receivedAt).toTimeString().slice(0, 8)}  ${title}`,
    `${describeSignature(event)}; ${describeResponse(event)}${received}`,
    styleText('dim', printable(event.raw)),
  ]
  return lines.join('\n          ')
}

function describeSignature({ signature, secretNumber, secretCount }: ReceivedEvent): string {
  if (signature === 'not verified') return styleText('yellow', 'signature not verified: no secret is known')
  if (signature === 'invalid')
    return styleText('red', `signature INVALID with each of ${secretCount} secrets`)
  return styleText('green', `signature valid, with secret ${secretNumber} of ${secretCount}`)
}

function describeResponse({ status, forwardError, abandoned }: ReceivedEvent): string {
  if (abandoned) return styleText('yellow', `${status} not sent: the sender closed the connection before`)
  const failure = forwardError === undefined ? '' : ` (not forwarded: ${printable(forwardError)})`
  return `responded ${status}${failure}`
}
