import { Hono } from 'hono'
import { receive } from './receive.js'

const app = new Hono()
app.post('/webhooks', async c => {
  return c.body(null, await receive(await c.req.arrayBuffer(), c.req.raw.headers))
})
export default app
