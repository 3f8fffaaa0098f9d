import type { Call } from './languages.ts'

export const clientPackage = '@age-verification/client'

/** For Node 20 or newer, with the service's client. */
export function nodeSamples(baseUrl: string): Record<Call, string> {
  const client = `import { AgeVerificationClient } from ${JSON.stringify(clientPackage)}

const client = new AgeVerificationClient({
  baseUrl: ${JSON.stringify(baseUrl)},
  apiKey: process.env.API_KEY,
})
`
  return {
    start: `${client}
const { verificationId, sessionUrl } = await client.start()
console.log(verificationId, sessionUrl)
`,
    status: `${client}
const { status, over18, token } = await client.status(process.env.VERIFICATION_ID)
console.log(status, over18, token)
`,
    validate: `${client}
const { valid, reason } = await client.validateToken(process.env.TOKEN)
console.log(valid, reason)
`,
  }
}
