import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Router } from '@koa/router'
import Koa from 'koa'
import { theme } from '#server/pages/html/theme.ts'
import type { EventStore } from './event-store.ts'
import { eventsPage } from './events-page.ts'

const style = theme + readFileSync(join(import.meta.dirname, 'events.css'), 'utf8')

/** Serves the received events: as JSON, or as a page if the client prefers HTML. */
export function createViewApp(events: EventStore, webhookUrl: string): Koa {
  const app = new Koa()
  const router = new Router()
  router.use(async (ctx, next) => {
    ctx.set(headers)
    await next()
  })
  router.get('/events', ctx => {
    ctx.vary('Accept')
    if (ctx.accepts('json', 'html') !== 'html') {
      ctx.body = { items: events.newestFirst() }
      return
    }
    ctx.type = 'html'
    ctx.body = eventsPage(events.newestFirst(), webhookUrl).markup
  })
  router.get('/events.css', ctx => {
    ctx.type = 'css'
    ctx.body = style
  })
  router.get('/', ctx => ctx.redirect('/events'))
  app.use(router.routes())
  return app
}

const headers = {
  'cache-control': 'no-store',
  'content-security-policy':
    "default-src 'none'; style-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
}
