import type { Context, Next } from 'koa'
import { DomainError } from '#domain/errors.ts'
import { type Client, Places } from '#domain/fairness/places.ts'
import type { Place } from '#domain/scope.ts'
import { keyHeader } from '#rest/authenticate.ts'
import { callback } from '#rest/verify/callback.ts'
import { addressBlock, callerAddress } from './client-address.ts'
import { isReserved } from './connections.ts'
import { errorResponder } from './json-responder.ts'

interface ConcurrencyLimitOptions {
  /** How many requests are worked on at a time, and how many callbacks besides. */
  concurrentRequests: number
  baseUrl: string
  /** Whose API key or sign-in it is, so that a tenant is one client; undefined for one that isn't known, a stranger's. */
  tenantOf(credentials: { key: string; authorization: string }): string | undefined
  countRejection(): void
}

export type ConcurrencyLimit = ReturnType<typeof createConcurrencyLimit>

/** Longer than most overloads last: clients that retry then find the service recovered. */
const retryAfterSeconds = 2

export function createConcurrencyLimit(options: ConcurrencyLimitOptions) {
  const { concurrentRequests: count, baseUrl, tenantOf, countRejection } = options
  const requests = new Places(count)
  const callbacks = new Places(count)
  let idle = 0
  const sendOverloaded = errorResponder(overloaded, baseUrl)
  const reject = (ctx: Context) => {
    countRejection()
    ctx.respond = false
    sendOverloaded(ctx.res)
  }
  const take = async (ctx: Context, places: Places, isAuthentic = false): Promise<boolean> => {
    const client = (): Client => {
      const tenantId = tenantOf({ key: ctx.get(keyHeader), authorization: ctx.get('authorization') })
      if (tenantId !== undefined) return { name: tenantId, isTenant: true }
      return { name: addressBlock(callerAddress(ctx)), isTenant: isAuthentic }
    }
    const hasPlace = await places.take(client)
    if (hasPlace) ctx.state.place = { places, client, idle: 0 } satisfies TakenPlace
    return hasPlace
  }
  const giveBack = ({ place }: { place?: TakenPlace }) => {
    if (!place) return
    const holdsPlace = place.idle === 0
    // What still waits then has no place to take again.
    place.idle = Number.POSITIVE_INFINITY
    // In the next turn, so that what needs no waiting can't make this one longer than the places allow.
    if (holdsPlace) setImmediate(() => place.places.release())
  }
  return {
    /** Has each request but callbacks wait for a place before anything is done for it, and rejects those that get none. */
    async middleware(ctx: Context, next: Next): Promise<void> {
      // Whoever has one of the last connections can't keep it.
      if (isReserved(ctx.socket)) ctx.res.shouldKeepAlive = false
      const kind = classifyRequest(ctx)
      if (kind === 'request' && (isReserved(ctx.socket) || !(await take(ctx, requests)))) return reject(ctx)
      try {
        if (!ctx.res.closed) await next()
      } finally {
        giveBack(ctx.state)
      }
    },
    /**
     * Has a callback wait for one of their places: an authentic one as tenants do, others so that their answers can't fill a turn
     * of the process. Throws `INTERNAL_ERROR` for an authentic one that gets none.
     */
    async takeCallbackPlace(ctx: Context, isAuthentic: boolean): Promise<void> {
      if ((await take(ctx, callbacks, isAuthentic)) || !isAuthentic) return
      countRejection()
      throw overloaded
    },
    /** Of a request, which holds none while it does work that waits for somebody else. */
    placeOf: (ctx: Context): Place => ({
      async whileIdle<Result>(work: () => Promise<Result>): Promise<Result> {
        const { place }: { place?: TakenPlace } = ctx.state
        if (place && place.idle++ === 0) place.places.release()
        idle += 1
        try {
          return await work()
        } finally {
          idle -= 1
          if (place && --place.idle === 0) await place.places.retake(place.client)
        }
      },
    }),
    /** The requests that are being worked on, wait for a place, or wait for somebody else. */
    counts: () => ({
      working: requests.taken + callbacks.taken,
      queued: requests.waiting + callbacks.waiting,
      idle,
    }),
  }
}

interface TakenPlace {
  places: Places
  client: () => Client
  /** How many parts of the request wait: the console has several calls in one. */
  idle: number
}

/** Probes, and what verifiers need: one answer for all who ask at a time. */
const sharedPaths = /^\/metrics$|^\/health\/|^(\/test)?\/(\.well-known\/jwks\.json$|tokens\/status-lists\/)/

/** By the path that decides the route, in whichever form the request has it. */
function classifyRequest(ctx: Context): 'callback' | 'probe' | 'request' {
  try {
    if (ctx.path === callback.path) return 'callback'
    return sharedPaths.test(ctx.path) ? 'probe' : 'request'
  } catch {
    // Koa throws for a target such as `http://[`.
    return 'request'
  }
}

const overloaded = new DomainError('INTERNAL_ERROR', {
  message: 'The service is overloaded. Nothing was done; retry after the given delay.',
  details: { reason: 'overloaded', retryAfterSeconds },
})
