// api/webhooks.js, or app/webhooks/route.js of Next.js 13 and 14.
import { waitUntil } from '@vercel/functions'
import { receive } from './receive.js'

export async function POST(request) {
  const status = await receive(await request.arrayBuffer(), request.headers, waitUntil)
  return new Response(null, { status })
}
