import { receive } from './receive.js'

export async function POST(request) {
  const status = await receive(await request.arrayBuffer(), request.headers)
  return new Response(null, { status })
}
