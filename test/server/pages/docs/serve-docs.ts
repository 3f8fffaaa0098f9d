import { createServer, type Server } from 'node:http'
import Koa from 'koa'
import { securityHeaders } from '#server/http/security-headers.ts'
import { docsRouter } from '#server/pages/docs/docs-router.ts'

/** Serves the documentation alone, on a free port. */
export async function serveDocs(baseUrl: string): Promise<{ server: Server; address: string }> {
  const app = new Koa()
  app.use(securityHeaders(baseUrl))
  app.use((await docsRouter(baseUrl)).routes())
  const server = createServer(app.callback())
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return { server, address: `http://127.0.0.1:${(server.address() as { port: number }).port}` }
}
