/** Identifies one request over IPC, so that its reply finds it. */
export interface IpcRequest {
  requestId: number
}

export interface IpcReply<Value> extends IpcRequest {
  value: Value
}

export interface IpcRequester<Value> {
  /** Rejects if no reply arrives in time. */
  request(): Promise<Value>
  /** Resolves the request that the reply belongs to; a late reply is ignored. */
  resolve(reply: IpcReply<Value>): void
}

/** Sends requests to another process, which replies by message. */
export function createIpcRequester<Value>(
  send: (request: IpcRequest) => void,
  timeoutMs: number,
): IpcRequester<Value> {
  const pending = new Map<number, (value: Value) => void>()
  let nextId = 0
  return {
    async request() {
      const requestId = nextId++
      const { promise, resolve, reject } = Promise.withResolvers<Value>()
      const timer = setTimeout(() => reject(new Error(`no reply within ${timeoutMs / 1000} s`)), timeoutMs)
      pending.set(requestId, resolve)
      try {
        send({ requestId })
        return await promise
      } finally {
        clearTimeout(timer)
        pending.delete(requestId)
      }
    },
    resolve: ({ requestId, value }) => pending.get(requestId)?.(value),
  }
}
