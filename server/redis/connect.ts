import { type CommandParser, createClient, defineScript } from 'redis'

/** A connection to the server. */
export interface RedisConnection {
  /** Counts under a name that is deleted `ttlMs` after the first time. Fails immediately where the connection is lost. */
  count(name: string, ttlMs: number): Promise<number>
  /** Resolves, with the reason, once the connection has to be replaced. */
  lost: Promise<Error>
  destroy(): void
}

/** `#!lua` has Redis reject the script, before it runs, where it may not write: on a replica, or without enough replicas. */
const count = defineScript({
  SCRIPT: `#!lua
    local count = redis.call('INCR', KEYS[1])
    if count == 1 then redis.call('PEXPIRE', KEYS[1], ARGV[1]) end
    return count`,
  NUMBER_OF_KEYS: 1,
  IS_READ_ONLY: false,
  parseCommand(parser: CommandParser, name: string, ttlMs: number) {
    parser.pushKey(name)
    parser.push(String(ttlMs))
  },
  transformReply: (reply: unknown) => Number(reply),
})

/**
 * Connects to the server. Rejects if that fails within 2 s a step. Nothing is queued while it is unavailable, and no connection
 * is repaired: it's replaced (`open-redis.ts`). `socketTimeout` bounds connecting; afterwards `watchResponses` notices a
 * server that hangs.
 */
export async function connectTo(url: string): Promise<RedisConnection> {
  const lost = Promise.withResolvers<Error>()
  const client = createClient({
    url,
    scripts: { count },
    disableOfflineQueue: true,
    // It would only bound the wait for the socket, and a timer per command costs 6 % of a request's CPU.
    commandOptions: { timeout: 0 },
    socket: { connectTimeout: 2_000, socketTimeout: 2_000, reconnectStrategy: false },
  })
  client.on('error', lost.resolve)
  await client.connect()
  const stopWatching = watchResponses(() => client.ping(), lost.resolve)
  return {
    count: (name, ttlMs) => client.count(name, ttlMs),
    lost: lost.promise,
    destroy() {
      stopWatching()
      client.destroy()
    },
  }
}

const tickMs = 500
/** 2 s. Counted in ticks, so that a pause of this process isn't taken for one of the server. */
const ticksMax = 4

/**
 * Pings twice a second, and says when the server hasn't responded for 2 s: the timeout of the socket doesn't, because every
 * write restarts it. Returns a function that stops this.
 */
function watchResponses(ping: () => Promise<unknown>, onHung: (reason: Error) => void): () => void {
  let ticksWaited: number | undefined
  const timer = setInterval(() => {
    if (ticksWaited !== undefined) {
      ticksWaited += 1
      if (ticksWaited >= ticksMax) onHung(new Error('Redis has not responded for 2 s'))
      return
    }
    ticksWaited = 0
    ping().then(
      () => {
        ticksWaited = undefined
      },
      () => undefined,
    )
  }, tickMs).unref()
  return () => clearInterval(timer)
}
