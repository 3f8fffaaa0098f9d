/** What the dashboard's tabs, and the frames and windows that sign in for them, tell each other. */
type SignInMessage =
  /** The parameters of an authorization response, from the frame or window that received it. */
  | { kind: 'response'; state: string; parameters: string }
  /** A tab waited for this response. */
  | { kind: 'received'; state: string }
  | { kind: 'signed-in' }
  | { kind: 'signed-out' }

const name = 'age-verification.sign-in'

/** Only for pages of this origin. A code is useless without the verifier, which the tab that asked for it keeps. */
export function broadcast(message: SignInMessage): void {
  const channel = new BroadcastChannel(name)
  channel.postMessage(message)
  channel.close()
}

/** Calls back for each message of other pages. Returns a function that stops this. */
export function listen(onMessage: (message: SignInMessage) => void): () => void {
  const channel = new BroadcastChannel(name)
  channel.onmessage = ({ data }) => onMessage(data)
  return () => channel.close()
}

/** Resolves to the response to an authorization request in a frame or another window, or never. */
export function waitForResponse(state: string): { response: Promise<URLSearchParams>; stop: () => void } {
  const { promise, resolve } = Promise.withResolvers<URLSearchParams>()
  const stop = listen(message => {
    if (message.kind !== 'response' || message.state !== state) return
    broadcast({ kind: 'received', state })
    stop()
    resolve(new URLSearchParams(message.parameters))
  })
  return { response: promise, stop }
}

const acknowledgementMs = 1_000

/** Passes a response on to the tab that waits for it. Resolves to false if none does. */
export async function passOnResponse(parameters: URLSearchParams): Promise<boolean> {
  const state = parameters.get('state') ?? ''
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const stop = listen(message => {
    if (message.kind === 'received' && message.state === state) resolve(true)
  })
  setTimeout(() => resolve(false), acknowledgementMs)
  broadcast({ kind: 'response', state, parameters: parameters.toString() })
  return promise.finally(stop)
}
