import { createClient, ErrorReply } from 'redis'
import { StartError } from '../../start-error.ts'
import type { SentinelSettings } from './redis-settings.ts'

const timeoutMs = 2_000

export interface Address {
  host: string
  port: number
}

/** The Sentinels of one primary. */
export interface Sentinels {
  /**
   * The primary's address according to the Sentinel with the newest configuration, of a majority if one responds
   * within 2 s, else of those that do. Rejects if none does, with a `StartError` if what responds is no Sentinel or
   * doesn't monitor the primary.
   */
  findPrimary(): Promise<Address>
  destroy(): void
}

interface Reported extends Address {
  /** Increases with every failover. */
  epoch: number
}

export function createSentinels({ sentinels, primaryName }: SentinelSettings): Sentinels {
  const all = sentinels.map(url => createSentinel(url, primaryName))
  return {
    async findPrimary() {
      const reports = await majorityOf(all.map(sentinel => sentinel.report()))
      const { host, port } = reports.reduce((newest, other) => (other.epoch > newest.epoch ? other : newest))
      return { host, port }
    },
    destroy() {
      for (const sentinel of all) sentinel.destroy()
    },
  }
}

/** Resolves once more than half have, or all have settled. Rejects with one of the errors if all did. */
async function majorityOf(reports: Promise<Reported>[]): Promise<Reported[]> {
  const received: Reported[] = []
  const majority = Promise.withResolvers<void>()
  for (const report of reports) {
    report.then(
      one => {
        if (received.push(one) > reports.length / 2) majority.resolve()
      },
      () => undefined,
    )
  }
  const settled = await Promise.race([majority.promise, Promise.allSettled(reports)])
  if (received.length > 0) return received
  const reasons = (settled ?? []).map(one => (one as PromiseRejectedResult).reason as Error)
  throw reasons.find(reason => reason instanceof StartError) ?? reasons[0]!
}

/** One Sentinel, connected on the first use, and again after a failure. */
function createSentinel(url: string, primaryName: string) {
  const { host } = new URL(url)
  let opened: ReturnType<typeof open> | undefined
  async function connected() {
    opened ??= open(url)
    await opened.connecting
    return opened.client
  }
  function destroy(): void {
    opened?.client.destroy()
    opened = undefined
  }
  async function ask(): Promise<Reported> {
    const client = await connected()
    // Only this one names a promoted replica before the other replicas follow it.
    const address = client.sendCommand(['SENTINEL', 'GET-MASTER-ADDR-BY-NAME', primaryName])
    const state = client.sendCommand(['SENTINEL', 'MASTER', primaryName])
    const [[host, port], fields] = (await Promise.all([address, state])) as unknown as [string[], string[]]
    return { host: host!, port: Number(port), epoch: Number(fieldValue(fields, 'config-epoch')) }
  }
  return {
    destroy,
    async report(): Promise<Reported> {
      const timeout = Promise.withResolvers<never>()
      const timer = setTimeout(() => timeout.reject(new Error('no response within 2 s')), timeoutMs)
      try {
        return await Promise.race([ask(), timeout.promise])
      } catch (error) {
        destroy()
        throw describe(error as Error, host, primaryName)
      } finally {
        clearTimeout(timer)
      }
    },
  }
}

function open(url: string) {
  const client = createClient({
    url,
    RESP: 2,
    disableOfflineQueue: true,
    socket: { connectTimeout: timeoutMs, reconnectStrategy: false },
  })
  client.on('error', () => undefined)
  const connecting = client.connect()
  connecting.catch(() => undefined)
  return { client, connecting }
}

function describe(error: Error, host: string, primaryName: string): Error {
  const { message } = error
  if (error instanceof ErrorReply && message.startsWith('ERR No such master')) {
    return new StartError(
      `REDIS_SENTINEL_MASTER: the Sentinel ${host} monitors no primary named ${primaryName}`,
    )
  }
  if (error instanceof ErrorReply && message.startsWith('ERR unknown command')) {
    return new StartError(`REDIS_SENTINELS: ${host} is not a Sentinel`)
  }
  return new Error(`the Sentinel ${host}: ${message}`, { cause: error })
}

/** The value that follows the name. */
function fieldValue(fields: string[], name: string): string | undefined {
  return fields[fields.indexOf(name) + 1]
}
