import { setTimeout as wait } from 'node:timers/promises'
import type { Random } from '#test/harness/random.ts'
import { judgeAnswer, toFacts, type Verdict } from '../judge/judge-answer.ts'
import { judgeTenantCall } from '../judge/judge-tenant-call.ts'
import { judgeStatus, judgeToken } from '../judge/judge-verification.ts'
import type { ApiKeyEntry, StartEntry, TenantEntry } from '../judge/ledger.ts'
import type { Run } from '../run.ts'
import type { SupervisedService } from '../system/supervised-service.ts'
import type { Exchange } from './send.ts'

export interface Judged {
  exchange: Exchange
  verdict: Verdict
}

export interface CallOptions {
  /** The tenant's main one by default. */
  apiKey?: ApiKeyEntry
  json?: unknown
  headers?: Record<string, string>
  grace?: number
}

/** Calls the tenant API on one process, and judges what holds for every call. */
export async function callTenantApi(
  run: Run,
  process: SupervisedService,
  tenant: TenantEntry,
  path: string,
  { apiKey = tenant.apiKey, grace, headers, json }: CallOptions = {},
): Promise<Judged> {
  const isGet = path.startsWith('/verify/status') || path.startsWith('/verifications')
  const rateClass = isGet || path === validatePath ? 'read' : 'write'
  const exchange = await run.sender.send({
    process,
    method: isGet ? 'GET' : 'POST',
    path,
    headers: { 'x-tenant-api-key': apiKey.value, ...headers },
    json,
  })
  return { exchange, verdict: judgeTenantCall(run, exchange, { tenant, apiKey, rateClass, grace }) }
}

/** Reads the status of an acknowledged verification. */
export async function readStatus(run: Run, process: SupervisedService, entry: StartEntry): Promise<void> {
  const path = `/verify/status?verificationId=${entry.verificationId}`
  const { exchange, verdict } = await callTenantApi(run, process, entry.tenant, path)
  if (verdict === 'answered') judgeStatus(run, exchange, entry)
}

const validatePath = '/tokens/validate'

/** Validates the token of a completed verification. */
export async function validateToken(run: Run, process: SupervisedService, entry: StartEntry): Promise<void> {
  const json = { token: entry.completion!.body.token }
  const { exchange, verdict } = await callTenantApi(run, process, entry.tenant, validatePath, { json })
  if (verdict === 'answered') judgeToken(run, exchange, entry)
}

/** Uses a key without any effect but admission. */
export async function useKey(
  run: Run,
  process: SupervisedService,
  tenant: TenantEntry,
  apiKey: ApiKeyEntry = tenant.apiKey,
): Promise<void> {
  await callTenantApi(run, process, tenant, validatePath, { apiKey, json: { token: 'none' } })
}

export interface ConsoleAnswer extends Judged {
  // biome-ignore lint/suspicious/noExplicitAny: the procedures' outputs differ
  data: any
}

/** Calls a procedure of the console, such as `apiKeys.create`, as the tenant's owner. */
export async function callConsole(
  run: Run,
  process: SupervisedService,
  tenant: TenantEntry,
  kind: 'query' | 'mutation',
  path: string,
  input?: object,
): Promise<ConsoleAnswer> {
  const { signIn } = run.system
  // Issued a while ago, for processes whose clock is behind.
  const issuedAt = Math.floor(Date.now() / 1_000) - 1_800
  const token = await signIn.sign({ sub: tenant.owner, iat: issuedAt, exp: issuedAt + 7_200 })
  const isQuery = kind === 'query'
  const query = isQuery && input ? `?input=${encodeURIComponent(JSON.stringify(input))}` : ''
  const exchange = await run.sender.send({
    process,
    method: isQuery ? 'GET' : 'POST',
    path: `/console/${path}${query}`,
    headers: { authorization: `Bearer ${token}`, ...(!isQuery && { 'content-type': 'application/json' }) },
    json: isQuery ? undefined : input,
  })
  const error = exchange.body?.error?.data
  // The same envelope, inside tRPC's.
  const body = error ? { ...error, requestId: exchange.headers['x-request-id'] } : exchange.body
  return { exchange, verdict: judgeAnswer({ ...exchange, body }, run), data: exchange.body?.result?.data }
}

/** What a query of the console returns; undefined if it fails, which a fault must explain. */
export async function readConsole(
  run: Run,
  process: SupervisedService,
  tenant: TenantEntry,
  path: string,
  input?: object,
) {
  const { exchange, verdict, data } = await callConsole(run, process, tenant, 'query', path, input)
  if (verdict === 'answered' && exchange.status !== 200) {
    run.violations.add('The console answers', toFacts(exchange), exchange.sentAt)
  }
  return data
}

/** Waits for a random time, in milliseconds. */
export async function pause(random: Random, lowest: number, highest: number): Promise<void> {
  await wait(random.between(lowest, highest))
}
