// Cloudflare Workers, with nodejs_compat and a compatibility date from 2025-04-01 on, for process.env.
import { receive } from './receive.js'

export default {
  async fetch(request, _env, context) {
    const waitUntil = job => context.waitUntil(job)
    const status = await receive(await request.arrayBuffer(), request.headers, waitUntil)
    return new Response(null, { status })
  },
}
