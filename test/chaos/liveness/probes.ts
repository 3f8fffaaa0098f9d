import { callConsole, callTenantApi, type Judged, readStatus } from '../clients/calls.ts'
import { decide } from '../clients/decide.ts'
import { startOnce } from '../clients/start.ts'
import type { StartEntry, TenantEntry } from '../judge/ledger.ts'
import type { Run } from '../run.ts'
import type { SupervisedService } from '../system/supervised-service.ts'

/** What clients, the provider and receivers need of the service. `poll`: a decision whose callback is lost. */
export const operations = ['start', 'status', 'validate', 'console', 'callback', 'event', 'poll'] as const
export type Operation = (typeof operations)[number]

export interface Probe {
  run: Run
  /** The API processes on which it has to work. */
  apis: SupervisedService[]
  /** Those whose events have to arrive. */
  tenants: TenantEntry[]
  /** A verification of the tenant that was started before the fault, another one each time. */
  take(tenant: TenantEntry): StartEntry
  /** Repeats until it returns true. */
  until(check: () => boolean | Promise<boolean>): Promise<void>
}

/** Each resolves when the operation has worked everywhere. */
export const probes: Record<Operation, (probe: Probe) => Promise<unknown>> = {
  start: onEach(async ({ run }, api, tenant) => {
    return (await startOnce(run, api, tenant)).outcome === 'acknowledged'
  }),
  status: onEach(async ({ run }, api, tenant) => {
    const { verificationId } = tenant.starts.find(({ outcome }) => outcome === 'acknowledged')!
    return isOk(await callTenantApi(run, api, tenant, `/verify/status?verificationId=${verificationId}`))
  }),
  validate: onEach(async ({ run }, api, tenant) =>
    isOk(await callTenantApi(run, api, tenant, '/tokens/validate', { json: { token: 'none' } })),
  ),
  console: onEach(async ({ run }, api, tenant) =>
    isOk(await callConsole(run, api, tenant, 'query', 'usage.current')),
  ),
  async callback({ run, tenants, take, until }) {
    const entry = take(tenants[0]!)
    await decide(run, entry, 'approve-adult', { delivery: 'once' })
    await until(async () => {
      const session = (await run.system.provider.sessions()).find(
        ({ vendorData }) => vendorData === entry.verificationId,
      )
      return session!.deliveries.some(({ accepted }) => accepted)
    })
  },
  async event({ run, tenants, take, until }) {
    const arrivals = tenants.map(async tenant => {
      const entry = take(tenant)
      await decide(run, entry, 'approve-adult', { delivery: 'once' })
      await until(() =>
        run.system.receivers.attempts.some(({ body }) => body.includes(entry.verificationId!)),
      )
    })
    await Promise.all(arrivals)
  },
  async poll({ run, apis, tenants, take, until }) {
    const entry = take(tenants[0]!)
    const { tenant, verificationId } = entry
    await decide(run, entry, 'approve-adult', { delivery: 'missing' })
    await until(async () => {
      const asked = { json: { verificationId } }
      if (!entry.completion) await callTenantApi(run, apis[0]!, tenant, '/verify/submit', asked)
      await readStatus(run, apis[0]!, entry)
      return entry.completion !== undefined
    })
  },
}

function onEach(works: (probe: Probe, api: SupervisedService, tenant: TenantEntry) => Promise<boolean>) {
  return (probe: Probe) =>
    Promise.all(probe.apis.map(api => probe.until(() => works(probe, api, probe.tenants[0]!))))
}

function isOk({ exchange, verdict }: Judged): boolean {
  return verdict === 'answered' && exchange.status === 200
}
