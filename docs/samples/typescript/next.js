// app/webhooks/route.js, for Next.js 15.1 or newer; `next build` needs the variables of receive.js, too.
import { after } from 'next/server'
import { receive } from './receive.js'

export async function POST(request) {
  const status = await receive(await request.arrayBuffer(), request.headers, after)
  return new Response(null, { status })
}
