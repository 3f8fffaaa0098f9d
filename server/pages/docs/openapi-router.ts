import { Router } from '@koa/router'
import { crossOriginHeaders } from '#rest/cross-origin.ts'
import { openApiText } from '#rest/openapi/document.ts'
import type { Features } from '#rest/router.ts'

/** Serves the OpenAPI document. It is made at the start, so that no request waits for it. */
export function openApiRouter(baseUrl: string, features: Features): Router {
  const router = new Router({ strict: true, sensitive: true })
  const text = openApiText(baseUrl, features)
  router.get('/openapi.json', ctx => {
    ctx.set({ 'Cache-Control': 'public, max-age=300', ...crossOriginHeaders })
    ctx.type = 'json'
    ctx.body = text
  })
  return router
}
