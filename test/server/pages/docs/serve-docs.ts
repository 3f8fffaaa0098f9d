import { createServer } from 'node:http'
import Koa from 'koa'
import { securityHeaders } from '#server/http/security-headers.ts'
import { docsRouter } from '#server/pages/docs/docs-router.ts'
import { openApiRouter } from '#server/pages/docs/openapi-router.ts'
import { evidenceRouter } from '#server/pages/evidence/evidence-router.ts'
import { listenLocally } from '../../../harness/listen-locally.ts'

const features = { testTenants: true }

/** Serves the documentation alone, on a free port. */
export async function serveDocs(baseUrl: string) {
  const app = new Koa()
  app.use(securityHeaders(baseUrl))
  app.use(openApiRouter(baseUrl, features).routes())
  app.use((await docsRouter(baseUrl, features)).routes())
  app.use(evidenceRouter(baseUrl).routes())
  // It is made of what is in a database.
  app.use(ctx => {
    if (/^\/practice-statement(\.json)?$/.test(ctx.path)) ctx.body = ''
  })
  const { url, close } = await listenLocally(createServer(app.callback()))
  return { address: url, close }
}
