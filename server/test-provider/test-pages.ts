import type Koa from 'koa'
import { recordProviderResult } from '#domain/verification/record-provider-result.ts'
import { toMiddleware } from '../http/to-middleware.ts'
import type { ScopeFor } from '../scope.ts'
import { createPageRouter, type ReportSession } from './page-router.ts'
import type { Sessions } from './sessions.ts'
import { pagesPath } from './test-provider.ts'
import { toResult } from './to-result.ts'

/** The hosted pages. What is done on them is recorded in this process; what can't be is found by polling, as a lost callback is. */
export function createTestPages(sessions: Sessions, scopeFor: ScopeFor): Koa.Middleware {
  const record: ReportSession = async (session, report) => {
    const scope = scopeFor({ kind: 'service' })
    await recordProviderResult(scope, toResult(session, report), { test: true }).catch(err =>
      scope.log.warn({ verificationId: session.vendorData, err }, 'A test result was not recorded'),
    )
  }
  return toMiddleware(createPageRouter(sessions, pagesPath, record))
}
