import { AgeVerificationClient } from '@age-verification/client'

const { SERVICE_URL: baseUrl, API_KEY: apiKey } = process.env
const client = new AgeVerificationClient({ baseUrl, apiKey })

export async function follow(store, handle) {
  for await (const change of client.changes(await store.read())) {
    await handle(change)
    await store.write(change.cursor)
  }
}
