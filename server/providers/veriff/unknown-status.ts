import { z } from 'zod'

/** The status, decision or code of a payload that isn't understood, for the log; undefined if it has none. Never throws. */
export function readUnknownStatus(body: unknown): string | undefined {
  const { data } = anyStatus.safeParse(body)
  return data === undefined ? undefined : printStatus(data)
}

/** At most 40 ASCII characters. */
export function printStatus(status: string): string {
  return status.slice(0, 40).replace(/[^\w.-]/g, '?')
}

const anyStatus = z.union([
  z.object({ verification: z.object({ status: z.string() }) }).transform(body => body.verification.status),
  z
    .object({ data: z.object({ verification: z.object({ decision: z.string() }) }) })
    .transform(body => body.data.verification.decision),
  z.object({ code: z.union([z.string(), z.number().transform(String)]) }).transform(({ code }) => code),
])
