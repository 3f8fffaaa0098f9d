import { AgeVerificationClient, AgeVerificationError } from '@age-verification/client'

const { SERVICE_URL: baseUrl, API_KEY: apiKey } = process.env
const client = new AgeVerificationClient({ baseUrl, apiKey })
const minuteMs = 60_000
const hourMs = 60 * minuteMs

/**
 * Looks at the verifications that your table has as open and due. Run it every minute. `decide` admits or refuses, as the
 * job of your webhook receiver does; `invite` asks the user for new pictures. Each can be called twice for a verification.
 */
export async function reconcile({ table, decide, invite }, now = Date.now()) {
  for (const row of table.findDue(now)) {
    // Before the request: one that fails ends this run, and must not be the first of each. After 5, 10, 20 minutes, …
    const pauseMs = Math.min(Math.max(now - row.startedAt, 5 * minuteMs), 12 * hourMs)
    table.update(row.verificationId, { dueAt: now + pauseMs })
    const verification = await readStatus(row.verificationId)
    if (verification === undefined || verification.completedAt !== null) {
      await decide(row.verificationId, verification?.over18 === true)
      table.remove(row.verificationId)
      continue
    }
    const { status } = verification
    if (status === 'resubmission' && row.status !== status) await invite(row)
    table.update(row.verificationId, { status })
  }
}

/** Undefined if the verification was erased, or has expired. */
async function readStatus(verificationId) {
  try {
    return await client.status(verificationId)
  } catch (error) {
    if (error instanceof AgeVerificationError && error.code === 'VERIFICATION_NOT_FOUND') return undefined
    throw error
  }
}
