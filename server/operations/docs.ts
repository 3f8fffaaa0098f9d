import { Router } from '@koa/router'
import { openApiDocument } from '#rest/openapi.ts'

/** `GET /openapi.json`: the tenant API as its declarations say. */
export function docsRouter(baseUrl: string): Router {
  const router = new Router()
  const document = openApiDocument(baseUrl)
  router.get('/openapi.json', ctx => {
    ctx.set('Cache-Control', 'public, max-age=300')
    ctx.body = document
  })
  return router
}
