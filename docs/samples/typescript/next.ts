import { verifyWebhook, WebhookVerificationError } from '@age-verification/client'
import { completed } from './completed.js'

const secrets = process.env.WEBHOOK_SECRETS!.split(',') // two of them during a rotation

export async function POST(request: Request): Promise<Response> {
  try {
    await completed(await verifyWebhook(await request.arrayBuffer(), request.headers, secrets))
    return new Response(null, { status: 204 })
  } catch (error) {
    if (error instanceof WebhookVerificationError) return new Response(error.message, { status: 401 })
    throw error
  }
}
