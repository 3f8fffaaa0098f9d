/** What is used of a Redis client. */
interface WatchedClient {
  readonly isReady: boolean
  ping(): Promise<unknown>
  destroy(): void
}

const tickMs = 500
/** 2 s. Counted in ticks, so that a pause of this process isn't taken for one of the server. */
const ticksMax = 4

/** The server has not responded for 2 s. */
class RedisUnresponsive extends Error {
  override name = 'RedisUnresponsive'
}

/**
 * Pings each client twice a second, and destroys one whose server hasn't responded for 2 s: its commands fail then.
 * The timeout of its socket doesn't do that, because every write restarts it. Returns a function that stops this.
 */
export function watchResponses(
  clients: () => readonly WatchedClient[],
  onHung: (reason: Error) => void,
): () => void {
  const ticksWaited = new WeakMap<WatchedClient, number>()
  function check(client: WatchedClient): void {
    const ticks = ticksWaited.get(client)
    if (ticks === undefined) {
      ticksWaited.set(client, 0)
      client.ping().then(
        () => ticksWaited.delete(client),
        () => undefined,
      )
    } else if (ticks + 1 < ticksMax) {
      ticksWaited.set(client, ticks + 1)
    } else {
      client.destroy()
      onHung(new RedisUnresponsive())
    }
  }
  const timer = setInterval(() => {
    for (const client of clients()) if (client.isReady) check(client)
  }, tickMs).unref()
  return () => clearInterval(timer)
}
