import { Router } from '@koa/router'
import Koa, { type Context, type Next } from 'koa'
import { DomainError } from '#domain/errors.ts'
import { type Reception, receiveEvent } from './receive-event.ts'

/** What the sender talks to. Answers that it cannot make sense of are an error's status, as from any receiver. */
export function createReceiverApp(reception: Reception, onError: (error: Error) => void): Koa {
  const app = new Koa()
  app.on('error', onError)
  app.use(answerErrors)
  const router = new Router()
  router.post('/events', ctx => receiveEvent(ctx, reception))
  app.use(router.routes())
  return app
}

async function answerErrors(ctx: Context, next: Next): Promise<void> {
  try {
    await next()
  } catch (error) {
    const refused = error instanceof DomainError
    if (!refused) ctx.app.emit('error', error, ctx)
    // The secrets could not be looked up, or the event not be kept: the sender is to try again.
    ctx.status = refused ? 400 : 503
    ctx.body = { received: false }
  }
}
