import { randomUUID } from 'node:crypto'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createTRPCClient, httpLink } from '@trpc/client'
import { incomingMessageToRequest } from '@trpc/server/adapters/node-http'
import Koa from 'koa'
import { createAuthenticator } from '#console-api/authenticate.ts'
import type { CreateScope } from '#console-api/context.ts'
import { type ConsoleOptions, createConsoleHandler } from '#console-api/handler.ts'
import type { ConsoleRouter } from '#console-api/router.ts'
import { type Database, openDatabase } from '#domain/database/open-database.ts'
import type { DomainError } from '#domain/errors.ts'
import type { RateLimiter } from '#domain/ports.ts'
import { createTestDatabase } from '#test/support/database.ts'
import { createTestScopes } from '#test/support/scope.ts'
import { audience, type SignInProvider, startSignInProvider } from './sign-in-provider.ts'

/** The address that the console is told its callers have. */
export const callersIp = '203.0.113.7'

export interface ConsoleServer {
  /** The time of everything; a test may set it. */
  time: { now: Date }
  createScope: CreateScope
  /** Tenants whose keys were removed from all caches, in order. */
  invalidated: string[]
  url: string
  database: Database
  signIn: SignInProvider
  /** Counts what users have called in the current minute; may be set by a test. */
  counts: Map<string, number>
  /** The faults that were reported. */
  faults: DomainError[]
  /** tRPC's own client, as the subject, in the tenant that is named. */
  client(subject: string, tenantId?: string): Promise<ReturnType<typeof createTRPCClient<ConsoleRouter>>>
  /** A bare request below `/console`. */
  fetch(path: string, init?: RequestInit): Promise<Response>
  close(): Promise<void>
}

/** The console on a free port, on a database and with a sign-in provider of its own; with parts put in their place. */
export async function startConsoleServer(instead: Partial<ConsoleOptions> = {}): Promise<ConsoleServer> {
  const testDatabase = await createTestDatabase()
  const database = await openDatabase({ url: testDatabase.url, poolSize: 8 })
  const time = { now: new Date('2026-11-20T12:00:00.000Z') }
  const signIn = await startSignInProvider(() => time.now)
  const rules = { memberIssuer: signIn.issuer }
  const { scopeFor, invalidated } = createTestScopes(database, { clock: () => time.now, rules })
  const counts = new Map<string, number>()
  const faults: DomainError[] = []
  const clock = () => time.now
  const server = await listen(
    createConsoleHandler({
      authenticate: createAuthenticator({ issuer: signIn.issuer, audience, clock }),
      createScope: scopeFor,
      limiter: countingLimiter(counts),
      clock,
      report: fault => faults.push(fault),
      ...instead,
    }),
  )
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/console`
  return {
    time,
    createScope: scopeFor,
    invalidated,
    url,
    database,
    signIn,
    counts,
    faults,
    client: async (subject, tenantId) => {
      const authorization = `Bearer ${await signIn.sign({ sub: subject })}`
      const headers = { authorization, ...(tenantId !== undefined && { 'x-tenant-id': tenantId }) }
      return createTRPCClient<ConsoleRouter>({ links: [httpLink({ url, headers })] })
    },
    fetch: (path, init) => fetch(`${url}/${path}`, init),
    close: async () => {
      await new Promise(resolve => {
        server.close(resolve)
        server.closeAllConnections()
      })
      await signIn.close()
      await database.close()
      await testDatabase.close()
    },
  }
}

async function listen(handler: ReturnType<typeof createConsoleHandler>): Promise<Server> {
  const app = new Koa()
  app.use(async ctx => {
    const request = incomingMessageToRequest(ctx.req, ctx.res, { maxBodySize: 64 * 1024 })
    ctx.body = await handler(request, { requestId: randomUUID(), ip: callersIp })
  })
  return await new Promise(resolve => {
    const server = app.listen(0, '127.0.0.1', () => resolve(server))
  })
}

/** The window ends 30 s after whatever moment it is asked at. */
function countingLimiter(counts: Map<string, number>): RateLimiter {
  return {
    async hit(bucket, limit, now) {
      const count = (counts.get(bucket) ?? 0) + 1
      counts.set(bucket, count)
      const resetsAt = new Date(now.getTime() + 30_000)
      return { limit, remaining: Math.max(0, limit - count), resetsAt, exceeded: count > limit }
    },
  }
}
