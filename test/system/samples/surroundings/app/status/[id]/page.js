import { AgeVerificationClient } from '@age-verification/client'

const { SERVICE_URL: baseUrl, API_KEY: apiKey } = process.env
const client = new AgeVerificationClient({ baseUrl, apiKey })

export default async function Page({ params }) {
  const { status, over18 } = await client.status((await params).id)
  return <p>{`it is ${status} ${over18}`}</p>
}
