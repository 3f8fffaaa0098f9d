import type { ClientResponse } from './endpoint.ts'

/** Aborted when the client disconnects before it has the response. */
export function disconnectOf(response: ClientResponse): AbortSignal {
  const disconnect = new AbortController()
  const onClose = () => {
    // To abort takes longer than a look-up, because it records where it happened.
    if (!response.writableFinished) disconnect.abort()
  }
  if (response.closed) onClose()
  else response.once('close', onClose)
  return disconnect.signal
}
