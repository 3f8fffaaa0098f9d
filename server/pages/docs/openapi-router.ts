import { Router } from '@koa/router'
import { crossOriginHeaders } from '#rest/cross-origin.ts'
import type { Features } from '#rest/router.ts'
import { readOpenApiText } from './openapi-document.ts'

/** Serves the OpenAPI document. It is read at the start, so that no request waits for it. */
export function openApiRouter(baseUrl: string, features: Features): Router {
  const router = new Router({ strict: true, sensitive: true })
  const text = readOpenApiText(baseUrl, features)
  router.get('/openapi.json', ctx => {
    ctx.set({ 'Cache-Control': 'public, max-age=300', ...crossOriginHeaders })
    ctx.type = 'json'
    ctx.body = text
  })
  return router
}
