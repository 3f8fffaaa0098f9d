import { AgeVerificationClient } from '@age-verification/client'

const { SERVICE_URL: baseUrl, API_KEY: apiKey } = process.env
const client = new AgeVerificationClient({ baseUrl, apiKey })

/** Runs as long as your service. `decide` admits or refuses, as the job of your webhook receiver does. */
export async function reconcile({ decide, readCursor, storeCursor }, options = {}) {
  for await (const change of client.changes(await readCursor(), options)) {
    await decide(change.verificationId, change.over18 === true)
    await storeCursor(change.cursor)
  }
}
