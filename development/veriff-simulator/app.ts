import Koa, { type Context, type Next } from 'koa'
import { createApiRouter } from './api/router.ts'
import { createControlRouter } from './control/router.ts'
import { createAssetsRouter, createPageRouter } from './page/router.ts'
import type { Simulator } from './simulator.ts'

export function createApp(simulator: Simulator, log: (line: string) => void): Koa {
  const app = new Koa()
  app.on('error', (error: Error) => log(`request failed: ${error.message}`))
  app.use(handleErrors)
  app.use(createApiRouter(simulator).routes())
  app.use(createPageRouter(simulator).routes())
  app.use(createControlRouter(simulator).routes())
  app.use(createAssetsRouter().routes())
  return app
}

/** Responds with JSON; the hosted page handles its errors itself. */
async function handleErrors(ctx: Context, next: Next): Promise<void> {
  try {
    await next()
    if (ctx.status === 404 && ctx.body === undefined) ctx.throw(404, 'Not found.')
  } catch (error) {
    const expected = error instanceof Error && 'status' in error && typeof error.status === 'number'
    if (!expected) ctx.app.emit('error', error, ctx)
    ctx.status = expected ? (error.status as number) : 500
    ctx.body = {
      status: 'fail',
      code: String(ctx.status),
      message: expected ? error.message : 'Internal error.',
    }
  }
}
