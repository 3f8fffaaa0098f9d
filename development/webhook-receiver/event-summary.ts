import { z } from 'zod'

const summary = z
  .object({ event: z.string(), data: z.object({ verificationId: z.string(), status: z.string() }) })
  .transform(({ event, data }) => ({ event, ...data }))

/** What an event is about; undefined if the body is not an event. */
export function readSummary(body: unknown): z.infer<typeof summary> | undefined {
  return summary.safeParse(body).data
}
