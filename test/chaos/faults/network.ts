import type { Network, TcpProxy } from '../../harness/engines/tcp-proxy.ts'
import type { Effect } from '../judge/timeline.ts'
import type { ServiceNetwork, SupervisedService } from '../system/supervised-service.ts'
import type { System } from '../system/system.ts'
import { chosen, type Fault, type PlannedFault } from './fault.ts'

const links: { link: keyof ServiceNetwork; name: string; effect: Effect }[] = [
  { link: 'database', name: 'PostgreSQL', effect: 'database' },
  { link: 'redis', name: 'Redis', effect: 'redis' },
]

const networks: { network: Network; lastsMs: readonly [number, number]; weight: number }[] = [
  { network: 'refused', lastsMs: [0, 3_000], weight: 2 },
  { network: 'stalled', lastsMs: [300, 6_000], weight: 2 },
  { network: 'one-way', lastsMs: [100, 2_000], weight: 2 },
  { network: 'delayed', lastsMs: [1_000, 5_000], weight: 1 },
]

/** The network between one process, or all of them, and a dependency. */
export const networkFaults: Fault[] = links.flatMap(({ link, name, effect }) =>
  networks.map(({ network, lastsMs, weight }): Fault => {
    return {
      name: `network to ${name} ${network}`,
      lane: 'network',
      weight,
      lastsMs,
      // A process that is cut off may hold locks that others wait for.
      effects: link === 'database' ? ['database', 'delay'] : [effect, 'delay'],
      ...(link === 'redis' && { processes: (system, planned) => affected(system, planned).map(readName) }),
      describe: (system, planned) => `for ${affected(system, planned).map(readName).join(', ')}`,
      begin: async ({ system }, planned) => {
        const delayMs = 20 + (planned.variant % 200)
        for (const proxy of listProxies(system, planned, link)) proxy.set(network, delayMs)
      },
      heal: async ({ system }, planned) => {
        for (const proxy of listProxies(system, planned, link)) proxy.set('open')
      },
    }
  }),
)

/** All processes in one of four cases, otherwise one. */
function affected({ processes }: System, { target, variant }: PlannedFault): SupervisedService[] {
  return variant % 4 === 0 ? processes : [chosen(processes, target)]
}

function listProxies(system: System, planned: PlannedFault, link: keyof ServiceNetwork): TcpProxy[] {
  return affected(system, planned).flatMap(({ network }) => network[link])
}

function readName({ options }: SupervisedService): string {
  return options.name
}
