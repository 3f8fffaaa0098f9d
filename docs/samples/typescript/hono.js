import { Hono } from 'hono'
import { receive } from './receive.js'

const app = new Hono()
app.post('/webhooks', async c => {
  const status = await receive(await c.req.arrayBuffer(), c.req.raw.headers)
  return new Response(null, { status })
})
export default app
