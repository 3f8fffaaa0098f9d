import { ErrorReply } from 'redis'
import type { SentinelSettings } from '../../configuration/redis-settings.ts'
import { StartError } from '../../configuration/start-error.ts'
import { connectTo, type RedisConnection } from '../connect.ts'

export interface Address {
  host: string
  port: number
}

export type Sentinels = ReturnType<typeof createSentinels>

interface Report extends Address {
  /** Increases with every failover. */
  epoch: number
}

/** The Sentinels of one primary. */
export function createSentinels({ sentinels, primaryName }: SentinelSettings) {
  const all = sentinels.map(url => createSentinel(url, primaryName))
  return {
    /**
     * The primary's address according to the Sentinel with the newest configuration, of a majority if one responds
     * within about 2 s, else of those that do. Rejects if none does, with a `StartError` if what responds is no
     * Sentinel or doesn't monitor the primary.
     */
    async findPrimary(): Promise<Address> {
      const reports = await askMajority(all)
      const { host, port } = reports.reduce((newest, other) => (other.epoch > newest.epoch ? other : newest))
      return { host, port }
    },
    destroy(): void {
      for (const sentinel of all) sentinel.destroy()
    },
  }
}

type Sentinel = ReturnType<typeof createSentinel>

/** Resolves once more than half have reported, or all have settled. Rejects with one of the errors if all did. */
async function askMajority(sentinels: readonly Sentinel[]): Promise<Report[]> {
  const reports: Report[] = []
  const majority = Promise.withResolvers<never[]>()
  const asked = sentinels.map(async sentinel => {
    if (reports.push(await sentinel.report()) > sentinels.length / 2) majority.resolve([])
  })
  const settled = await Promise.race([majority.promise, Promise.allSettled(asked)])
  if (reports.length > 0) return reports
  const reasons = settled.map(one => (one as PromiseRejectedResult).reason as Error)
  throw reasons.find(reason => reason instanceof StartError) ?? reasons[0]!
}

/** One Sentinel, connected on the first use, and again after a failure. */
function createSentinel(url: string, primaryName: string) {
  const { host } = new URL(url)
  let opened: Promise<RedisConnection> | undefined
  function destroy(): void {
    opened?.then(
      connection => connection.destroy(),
      () => undefined,
    )
    opened = undefined
  }
  async function ask(): Promise<Report> {
    opened ??= connectTo(url)
    const [client] = (await opened).clients()
    const [address, state] = await Promise.all([
      // Only this one names a promoted replica before the other replicas follow it.
      client!.sendCommand<[string, string]>(['SENTINEL', 'GET-MASTER-ADDR-BY-NAME', primaryName]),
      client!.sendCommand<Record<string, string>>(['SENTINEL', 'MASTER', primaryName]),
    ])
    return { host: address[0], port: Number(address[1]), epoch: Number(state['config-epoch']) }
  }
  return {
    destroy,
    async report(): Promise<Report> {
      try {
        return await ask()
      } catch (error) {
        destroy()
        throw describe(error as Error, host, primaryName)
      }
    },
  }
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
