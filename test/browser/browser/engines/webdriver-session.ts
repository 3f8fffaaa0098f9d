import { eventually } from '../../../harness/eventually.ts'

/** Sends a command of a WebDriver session. Rejects with a `WebDriverError`. */
export type Send = <Value>(method: 'GET' | 'POST' | 'DELETE', path: string, body?: object) => Promise<Value>

export class WebDriverError extends Error {
  /** Such as `element click intercepted`. */
  readonly code: string

  constructor({ error, message }: { error: string; message: string }) {
    super(`${error}: ${message}`)
    this.code = error
  }
}

/** Begins a session as soon as the driver listens. See https://www.w3.org/TR/webdriver2/. */
export async function startSession(driverUrl: string, capabilities: object): Promise<Send> {
  const { sessionId } = await eventually(() =>
    sendCommand<{ sessionId: string }>('POST', `${driverUrl}/session`, {
      capabilities: { alwaysMatch: capabilities },
    }),
  )
  return (method, path, body) => sendCommand(method, `${driverUrl}/session/${sessionId}${path}`, body)
}

async function sendCommand<Value>(method: string, url: string, body: object = {}): Promise<Value> {
  const response = await fetch(url, method === 'POST' ? { method, body: JSON.stringify(body) } : { method })
  const { value } = (await response.json()) as { value: Value & { error: string; message: string } }
  if (!response.ok) throw new WebDriverError(value)
  return value
}
