import { Router } from '@koa/router'
import { testPath } from '#domain/tenant/test-tenant.policy.ts'
import { allowCrossOrigin } from './cross-origin.ts'
import type { DocumentedEndpoint, Endpoint } from './endpoint.ts'
import type { RestServices } from './ports.ts'
import { runEndpoint } from './run-endpoint.ts'
import { chooseOutcome } from './test-tenants/choose-outcome.ts'
import { listEvents } from './test-tenants/list-events.ts'
import { jwks, testJwks } from './tokens/jwks.ts'
import { statusList, testStatusList } from './tokens/status-list.ts'
import { validate } from './tokens/validate.ts'
import { callback } from './verify/callback.ts'
import { complete } from './verify/complete.ts'
import { listChanges } from './verify/list-changes.ts'
import { start } from './verify/start.ts'
import { status } from './verify/status.ts'
import { submit } from './verify/submit.ts'

/** The endpoints of the tenant API, in the order of the document. */
export const documentedEndpoints: readonly DocumentedEndpoint[] = [
  start,
  status,
  submit,
  listChanges,
  complete,
  validate,
  jwks,
  statusList,
  chooseOutcome,
  listEvents,
  testJwks,
  testStatusList,
]

export const endpoints: readonly Endpoint[] = [...documentedEndpoints, callback]

/** What a service can be without. */
export interface Features {
  testTenants: boolean
}

/** Those of the endpoints that a service has. */
export function enabled<Any extends Endpoint>(all: readonly Any[], { testTenants }: Features): Any[] {
  return all.filter(({ path }) => testTenants || !path.startsWith(`${testPath}/`))
}

export function createRestRouter(services: RestServices, features: Features): Router {
  const router = new Router({ strict: true, sensitive: true })
  for (const endpoint of enabled(endpoints, features)) {
    const path = toRoutePath(endpoint)
    router.register(path, [endpoint.method], runEndpoint(endpoint, services))
    if (endpoint.kind === 'open') router.register(path, ['OPTIONS'], allowCrossOrigin)
  }
  return router
}

/** As the router spells it. */
export function toRoutePath({ path }: Endpoint): string {
  return path.replace(/\{(\w+)\}/g, ':$1')
}
