import type { Page, Route } from 'playwright-core'

/** Whether a URL is that of a procedure of the console. */
export function callsProcedure(procedure: string): (url: URL) => boolean {
  return ({ pathname }) => pathname === `/console/${procedure}`
}

/** Holds the console's responses to a procedure, as on a slow network, until the returned function is called. */
export async function holdResponses(page: Page, procedure: string): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route(callsProcedure(procedure), async route => {
    await promise
    await route.continue()
  })
  return resolve
}

/** Changes what the console responds to a procedure. */
export async function changeResponses(
  page: Page,
  procedure: string,
  // biome-ignore lint/suspicious/noExplicitAny: each procedure has data of its own
  change: (data: any) => unknown,
): Promise<void> {
  await page.route(callsProcedure(procedure), async route => {
    const response = await route.fetch()
    const json = await response.json()
    await change(json.result.data)
    await route.fulfill({ json })
  })
}

interface ConsoleError {
  message: string
  code: number
  data: { code: string; httpStatus: number; error: string; details?: object }
}

/** As from a service that no longer accepts the issuer's tokens. */
export function rejectToken(route: Route): Promise<void> {
  return fulfillWithError(route, {
    message: 'Not signed in.',
    code: -32001,
    data: { code: 'UNAUTHORIZED', httpStatus: 401, error: 'UNAUTHENTICATED_TENANT' },
  })
}

/** While the caller is rate limited. */
export function rejectForRateLimit(route: Route): Promise<void> {
  const details = { retryAfterSeconds: 30 }
  return fulfillWithError(route, {
    message: 'The rate limit is exceeded.',
    code: -32029,
    data: { code: 'TOO_MANY_REQUESTS', httpStatus: 429, error: 'RATE_LIMIT_EXCEEDED', details },
  })
}

function fulfillWithError(route: Route, error: ConsoleError): Promise<void> {
  return route.fulfill({ status: error.data.httpStatus, json: { error } })
}
