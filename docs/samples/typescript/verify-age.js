import { AgeVerificationClient } from '@age-verification/client'

const client = new AgeVerificationClient({
  baseUrl: process.env.SERVICE_URL, // such as https://verify.example
  apiKey: process.env.API_KEY,
})

const { verificationId, sessionUrl } = await client.start()
console.log(`Redirect your user to ${sessionUrl}`)

const { over18, token } = await client.waitForCompletion(verificationId)
console.log(over18 ? 'Welcome' : 'You must be 18 or over')

const { valid, reason } = await client.validateToken(token ?? '') // at any later time
console.log(valid ? 'Welcome back' : `Not valid: ${reason}`)
