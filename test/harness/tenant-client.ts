import type { TestService, TestTenant } from './test-service.ts'

export interface ApiResponse {
  status: number
  headers: Headers
  /** Parsed JSON; undefined for an empty body. */
  // biome-ignore lint/suspicious/noExplicitAny: tests read the fields that they expect, and fail if they are missing
  body: any
}

export interface Call {
  method?: 'GET' | 'POST' | 'PUT' | 'DELETE' | 'PATCH' | 'OPTIONS' | 'HEAD'
  headers?: Record<string, string>
  /** Sent as JSON. */
  json?: unknown
  /** Sent unchanged. */
  raw?: string | Uint8Array
}

/** Sends one HTTP request. No status makes it throw. */
export async function call(
  url: string,
  { method = 'GET', headers = {}, json, raw }: Call = {},
): Promise<ApiResponse> {
  const body = json === undefined ? raw : JSON.stringify(json)
  const type: Record<string, string> = json === undefined ? {} : { 'content-type': 'application/json' }
  const response = await fetch(url, {
    method,
    headers: { ...type, ...headers },
    redirect: 'manual',
    body: (body ?? null) as NonNullable<RequestInit['body']> | null,
  })
  const text = await response.text()
  const isJson = response.headers.get('content-type')?.includes('json')
  return {
    status: response.status,
    headers: response.headers,
    body: text && isJson ? JSON.parse(text) : text || undefined,
  }
}

/** Calls the tenant API with the key that the tenant has at the time of the call. */
export function tenantClient(
  service: Pick<TestService, 'baseUrl'> & Partial<Pick<TestService, 'veriffUrl'>>,
  tenant: Pick<TestTenant, 'apiKey'>,
) {
  const send = (path: string, options: Call = {}) => {
    const headers = { 'x-tenant-api-key': tenant.apiKey, ...options.headers }
    return call(`${service.baseUrl}${path}`, { ...options, headers })
  }
  return {
    send,
    start: (json: unknown = {}, headers: Record<string, string> = {}) =>
      send('/verify/start', { method: 'POST', json, headers }),
    status: (verificationId: string) => send(`/verify/status?verificationId=${verificationId}`),
    /** Waits up to so many seconds for a change of the status. */
    awaitChange: (verificationId: string, seconds: number | string) =>
      send(`/verify/status?verificationId=${verificationId}&wait=${seconds}`),
    submit: (verificationId: string) => send('/verify/submit', { method: 'POST', json: { verificationId } }),
    /** Chooses the outcome of a test tenant's verification. */
    choose: (verificationId: string, outcome: string, more: Record<string, unknown> = {}) =>
      send(`/test/verifications/${verificationId}/outcome`, { method: 'POST', json: { outcome, ...more } }),
    validate: (token: unknown) => send('/tokens/validate', { method: 'POST', json: { token } }),
    /** Starts a verification and lets the provider decide it and send its callbacks. Returns the ID. */
    async decided(outcome: string, more: Record<string, unknown> = {}): Promise<string> {
      const { body } = await send('/verify/start', { method: 'POST', json: {} })
      await control(service, body.verificationId, 'open')
      await control(service, body.verificationId, 'submit')
      await control(service, body.verificationId, 'decide', { outcome, ...more })
      return body.verificationId
    },
  }
}

/** Triggers an action of the provider's simulator on a verification's session. */
export function control(
  service: Partial<Pick<TestService, 'veriffUrl'>>,
  verificationId: string,
  action: 'open' | 'submit' | 'decide' | 'deliver',
  json: Record<string, unknown> = {},
): Promise<ApiResponse> {
  return call(`${service.veriffUrl}/control/sessions/${verificationId}/${action}`, { method: 'POST', json })
}
