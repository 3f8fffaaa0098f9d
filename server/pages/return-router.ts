import { Router } from '@koa/router'
import type { Scope } from '#domain/scope.ts'
import { findReturnUrl, returnPath } from '#domain/verification/find-return-url.ts'
import { describeRequest } from '../http/access-log.ts'
import { type PageFrame, sendMessage, sendStyle } from './html/simple-page.ts'

/** Sends users whom the provider sends back on to the tenant's return URL. Whoever asks learns nothing without the id. */
export function returnRouter(scopeOf: () => Scope): Router {
  const router = new Router({ prefix: returnPath, strict: true, sensitive: true })
  const frame: PageFrame = {
    name: 'Age verification',
    note: 'Nothing about you is on this page.',
    style: `${returnPath}/page.css`,
    formAction: ["'none'"],
  }

  router.get('/page.css', sendStyle)
  router.get('/:verificationId', async ctx => {
    const { verificationId = '' } = ctx.params
    const url = await findReturnUrl(scopeOf(), verificationId)
    if (url === undefined) {
      ctx.status = 404
      const message = 'There is nothing more to do here. Continue on the site or in the app where you began.'
      return sendMessage(ctx, frame, 'You can close this window', message)
    }
    describeRequest(ctx, { verificationId })
    ctx.status = 303
    // Browsers apply the policy of a redirect, too: a window that the tenant's page has opened stays its own.
    ctx.set({ Location: url, 'Cross-Origin-Opener-Policy': 'unsafe-none' })
  })
  return router
}
