import { buffer } from 'node:stream/consumers'
import { verifyWebhook } from '@age-verification/client'
import Koa from 'koa'
import { completed } from './completed.js'

const secrets = process.env.WEBHOOK_SECRETS.split(',') // two of them during a rotation
const app = new Koa()

app.use(async ctx => {
  await completed(await verifyWebhook(await buffer(ctx.req), ctx.headers, secrets)) // or 401
  ctx.status = 204
})

app.listen(process.env.PORT)
