import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Router } from '@koa/router'
import { openApiDocument } from '#rest/openapi.ts'
import { theme } from '../html/theme.ts'
import { docsPage } from './docs-page.ts'
import { operationsOf } from './operations-of.ts'

const style = theme + readFileSync(join(import.meta.dirname, 'docs.css'), 'utf8')
const pagePolicy =
  "default-src 'none'; style-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
const kept = { 'Cache-Control': 'public, max-age=300' }

/** `GET /openapi.json`: the tenant API as its declarations say. `GET /docs`: the same for people. */
export function docsRouter(baseUrl: string): Router {
  const router = new Router({ strict: true, sensitive: true })
  const document = openApiDocument(baseUrl)
  const page = docsPage(operationsOf(document), baseUrl).markup
  router.get('/openapi.json', ctx => {
    ctx.set(kept)
    ctx.body = document
  })
  router.get('/docs', ctx => {
    ctx.set({ ...kept, 'Content-Security-Policy': pagePolicy })
    ctx.type = 'html'
    ctx.body = page
  })
  router.get('/docs.css', ctx => {
    ctx.set(kept)
    ctx.type = 'css'
    ctx.body = style
  })
  return router
}
