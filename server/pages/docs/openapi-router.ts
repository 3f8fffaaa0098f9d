import { Router } from '@koa/router'
import { crossOriginHeaders } from '#rest/cross-origin.ts'
import type { Features } from '#rest/router.ts'
import { Asset, sendAsset } from '../dashboard/asset.ts'
import { readOpenApiText } from './openapi-document.ts'

/** Serves the OpenAPI document. It is read at the start, so that no request waits for it. */
export function openApiRouter(baseUrl: string, features: Features): Router {
  const router = new Router({ strict: true, sensitive: true })
  const document = new Asset('/openapi.json', Buffer.from(readOpenApiText(baseUrl, features)))
  router.get(document.path, async ctx => {
    ctx.set(crossOriginHeaders)
    await sendAsset(ctx, document, 'public, max-age=300')
  })
  return router
}
