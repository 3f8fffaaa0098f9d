import { buffer } from 'node:stream/consumers'
import Koa from 'koa'
import { receive } from './receive.js'

const app = new Koa()
app.use(async ctx => {
  ctx.status = await receive(await buffer(ctx.req), ctx.headers)
})
app.listen(process.env.PORT)
