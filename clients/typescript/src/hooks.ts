import type { ResponseInfo } from './response-info.ts'

/** An attempt of a request. Without headers and body, which have secrets and data of people. */
export interface RequestEvent {
  method: 'GET' | 'POST'
  /** The path with its query. */
  path: string
  /** 1 for the first one. */
  attempt: number
}

/** How an attempt ended. */
export interface ResponseEvent extends RequestEvent {
  durationMs: number
  /** Undefined if the service did not respond. */
  response: ResponseInfo | undefined
  /** What the call throws, unless it is tried again. */
  error: Error | undefined
}

/** Called with each attempt, for logs, metrics and traces. What they throw is logged and changes nothing. */
export interface Hooks {
  onRequest?: ((event: RequestEvent) => unknown) | undefined
  onResponse?: ((event: ResponseEvent) => unknown) | undefined
}

/** How long a promise of a hook is awaited, in milliseconds. A backend of metrics that hangs must not hold a user up. */
const hookMsMax = 1_000

/** Calls a hook and awaits its promise. What it throws is logged with `console.error`, as the caller's result is not its own. */
export async function callHook<Event>(
  name: string,
  hook: ((event: Event) => unknown) | undefined,
  event: Event,
): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const logFailure = (error: unknown) => console.error(`@age-verification/client: ${name} has failed`, error)
  try {
    const returned = hook?.(event)
    if (!isThenable(returned)) return
    const tooLate = new Promise((_, reject) => {
      timer = setTimeout(
        () => reject(new Error(`Its promise is not settled after ${hookMsMax} ms.`)),
        hookMsMax,
      )
    })
    await Promise.race([Promise.resolve(returned).catch(logFailure), tooLate])
  } catch (error) {
    logFailure(error)
  } finally {
    clearTimeout(timer)
  }
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof value === 'object' && value !== null && 'then' in value
}
