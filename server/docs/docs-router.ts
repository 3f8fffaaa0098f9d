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
const cacheable = { 'Cache-Control': 'public, max-age=300' }

/** Serves the OpenAPI document of the tenant API at `/openapi.json`, and its documentation at `/docs`. */
export function docsRouter(baseUrl: string): Router {
  const router = new Router({ strict: true, sensitive: true })
  const document = openApiDocument(baseUrl)
  const page = docsPage(operationsOf(document), baseUrl).markup
  router.get('/openapi.json', ctx => {
    ctx.set(cacheable)
    ctx.body = document
  })
  router.get('/docs', ctx => {
    ctx.set({ ...cacheable, 'Content-Security-Policy': pagePolicy })
    ctx.type = 'html'
    ctx.body = page
  })
  router.get('/docs.css', ctx => {
    ctx.set(cacheable)
    ctx.type = 'css'
    ctx.body = style
  })
  return router
}
