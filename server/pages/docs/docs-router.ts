import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Router } from '@koa/router'
import type { Context, Next } from 'koa'
import { openApiDocument } from '#rest/openapi.ts'
import { Asset } from '../dashboard/asset.ts'
import { sendAsset } from '../dashboard/send-asset.ts'
import { theme } from '../html/theme.ts'
import { Documentation } from './documentation.ts'

const styleFile = join(import.meta.dirname, 'docs.css')
const pagePolicy =
  "default-src 'none'; style-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
const cacheControl = 'public, max-age=300'

/**
 * Serves the OpenAPI document of the tenant API at `/openapi.json`, and the documentation at `/docs`: the documents of the
 * folder `docs` and the reference of the API, a page each. Unknown pages are passed to the next middleware.
 */
export function docsRouter(baseUrl: string): Router {
  const router = new Router({ strict: true, sensitive: true })
  const openApi = openApiDocument(baseUrl)
  const documentation = new Documentation(baseUrl, openApi)
  const style = new Asset('docs.css', Buffer.from(theme + readFileSync(styleFile, 'utf8')))
  router.get('/openapi.json', ctx => {
    ctx.set('Cache-Control', cacheControl)
    ctx.body = openApi
  })
  router.get('/docs.css', ctx => sendAsset(ctx, style, cacheControl))
  router.get('/docs/', ctx => ctx.redirect(`${baseUrl}/docs`))
  router.get('/docs', (ctx, next) => sendPage(ctx, documentation.page(''), next))
  router.get('/docs/:page', (ctx, next) => sendPage(ctx, documentation.page(ctx.params.page ?? ''), next))
  router.get('/docs/images/:file', (ctx, next) => {
    const image = documentation.image(ctx.params.file ?? '')
    return image ? sendAsset(ctx, image, cacheControl) : next()
  })
  return router
}

function sendPage(ctx: Context, page: Asset | undefined, next: Next): Promise<unknown> {
  if (!page) return next()
  ctx.set('Content-Security-Policy', pagePolicy)
  return sendAsset(ctx, page, cacheControl)
}
