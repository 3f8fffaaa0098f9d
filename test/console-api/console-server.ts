import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import { createTRPCClient, httpLink } from '@trpc/client'
import { incomingMessageToRequest } from '@trpc/server/adapters/node-http'
import Koa from 'koa'
import { createAuthenticator } from '#console-api/authenticate.ts'
import { type ConsoleOptions, createConsoleHandler } from '#console-api/handler.ts'
import { createIssuerKeys } from '#console-api/issuer-keys.ts'
import { createIdTokenReader } from '#console-api/read-id-token.ts'
import type { ConsoleRouter } from '#console-api/router.ts'
import { noPlace } from '#development/no-place.ts'
import type { DomainError } from '#domain/errors.ts'
import type { RequestCounter } from '#domain/ports.ts'
import { type Database, openDatabase } from '#domain/schema/open-database.ts'
import type { Rules } from '#domain/scope.ts'
import type { ScopeFor } from '#server/scope.ts'
import { createScriptedProvider, type ScriptedProvider } from '../domain/verification/scripted-provider.ts'
import { createTestDatabase, patientUrl } from '../harness/database.ts'
import { listenLocally } from '../harness/listen-locally.ts'
import { createTestScopes } from '../harness/scope.ts'
import { useOpened } from '../harness/use-opened.ts'
import { audience, clientId, type SignInProvider, startSignInProvider } from './sign-in-provider.ts'

/** The client address that the console sees. */
export const clientIp = '203.0.113.7'

export interface ConsoleServer {
  /** The time of everything; a test may set it. */
  time: { now: Date }
  createScope: ScopeFor
  provider: ScriptedProvider
  url: string
  database: Database
  signIn: SignInProvider
  /** Calls per user in the current minute; tests may set it. */
  counts: Map<string, number>
  /** The reported server errors. */
  serverErrors: DomainError[]
  /** tRPC's client, signed in as the subject, in the named tenant. */
  client(subject: string, tenantId?: string): Promise<ReturnType<typeof createTRPCClient<ConsoleRouter>>>
  /** Handles a request without sending it. */
  handle(request: Request): Promise<Response>
  /** A plain request below `/console`. */
  fetch(path: string, init?: RequestInit): Promise<Response>
  close(): Promise<void>
}

/**
 * Starts the console on a free port with a dedicated database and sign-in provider. `overrides` replaces parts,
 * `changedRules` parts of the configuration that the domain depends on.
 */
export async function startConsoleServer(
  overrides: Partial<ConsoleOptions> = {},
  changedRules: Partial<Rules> = {},
): Promise<ConsoleServer> {
  const testDatabase = await createTestDatabase()
  const databaseUrl = patientUrl(testDatabase.url)
  const database = await openDatabase({ url: databaseUrl, poolSize: 8, deadlineMs: 60_000 })
  const time = { now: new Date('2026-11-20T12:00:00.000Z') }
  const signIn = await startSignInProvider(() => time.now)
  const rules = { memberIssuer: signIn.issuer, ...changedRules }
  const provider = createScriptedProvider()
  const { scopeFor } = createTestScopes(database, { clock: () => time.now, rules, provider })
  const counts = new Map<string, number>()
  const serverErrors: DomainError[] = []
  const clock = () => time.now
  const { issuer } = signIn
  const keys = createIssuerKeys({ issuer })
  const handler = createConsoleHandler({
    authenticate: createAuthenticator({ issuer, audience, clientId, clock, keys }),
    readIdToken: createIdTokenReader({ issuer, clientId, clock, keys }),
    createScope: scopeFor,
    counter: createCounter(counts),
    clock,
    memberServed() {},
    countError() {},
    report: error => serverErrors.push(error),
    ...overrides,
  })
  const handle = (request: Request) =>
    handler(request, {
      requestId: randomUUID(),
      ip: clientIp,
      parts: { log: { info() {}, warn() {} }, request: { describe() {}, setWaiting() {}, ...noPlace } },
      describe() {},
    })
  const app = new Koa()
  app.silent = true
  app.use(async ctx => {
    ctx.body = await handle(incomingMessageToRequest(ctx.req, ctx.res, { maxBodySize: 64 * 1024 }))
  })
  const server = await listenLocally(createServer(app.callback()))
  const url = `${server.url}/console`
  return {
    time,
    createScope: scopeFor,
    provider,
    url,
    database,
    signIn,
    counts,
    serverErrors,
    client: async (subject, tenantId) => {
      const authorization = `Bearer ${await signIn.sign({ sub: subject })}`
      const headers = { authorization, ...(tenantId !== undefined && { 'x-tenant-id': tenantId }) }
      return createTRPCClient<ConsoleRouter>({ links: [httpLink({ url, headers })] })
    },
    handle,
    fetch: (path, init) => fetch(`${url}/${path}`, init),
    close: async () => {
      await server.close()
      await signIn.close()
      await database.close()
      await testDatabase.close()
    },
  }
}

/** A console for all tests of the surrounding `describe`. */
export function useConsoleServer(...options: Parameters<typeof startConsoleServer>): ConsoleServer {
  return useOpened(() => startConsoleServer(...options))
}

/** It has one window. */
function createCounter(counts: Map<string, number>): RequestCounter {
  return {
    async count(bucket) {
      const count = (counts.get(bucket) ?? 0) + 1
      counts.set(bucket, count)
      return count
    },
  }
}
