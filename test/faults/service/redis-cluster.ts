import { freePort } from '#server/http/free-port.ts'
import { createRedisServers, type RedisServer } from '../../harness/engines/redis-servers.ts'
import { eventually } from '../../harness/eventually.ts'

const slots = 16_384
const primaries = 3

/** Three primaries, each with a third of the slots, and one replica of the first. */
export async function startTestCluster(program: string) {
  const servers = await createRedisServers(program)
  try {
    // The default, 10,000 above the other port, can be that of an outgoing connection.
    const busPorts = await Promise.all([0, 1, 2, 3].map(() => freePort()))
    const start = async (busPort: number, index: number) =>
      await servers.start([
        '--cluster-port',
        `${busPort}`,
        '--cluster-enabled',
        'yes',
        '--cluster-config-file',
        `nodes-${index}.conf`,
        '--cluster-node-timeout',
        '1000',
        '--cluster-require-full-coverage',
        'no',
        '--repl-diskless-sync-delay',
        '0',
      ])
    const nodes = await Promise.all(busPorts.map(start))
    const owners = nodes.slice(0, primaries)
    const replica = nodes.at(-1)!
    for (const [index, node] of owners.entries()) {
      const first = Math.ceil((index * slots) / primaries)
      const last = Math.ceil(((index + 1) * slots) / primaries) - 1
      await node.send('CLUSTER', 'ADDSLOTSRANGE', `${first}`, `${last}`)
      await node.send('CLUSTER', 'SET-CONFIG-EPOCH', `${index + 1}`)
    }
    const meetFirst = ['CLUSTER', 'MEET', '127.0.0.1', `${nodes[0]!.port}`, `${busPorts[0]}`]
    for (const node of nodes.slice(1)) await node.send(...meetFirst)
    for (const node of nodes) await untilComplete(node, nodes.length)
    await replica.send('CLUSTER', 'REPLICATE', await owners[0]!.send('CLUSTER', 'MYID'))
    await eventually(async () => /master_link_status:up/.test(await replica.send('INFO', 'replication')))
    // Every node has to know the replica, or none votes for it.
    for (const node of nodes) {
      await eventually(async () => /slave/.test(await node.send('CLUSTER', 'NODES')))
    }
    return {
      env: { REDIS_URL: `${owners[0]!.url},${owners[1]!.url}`, REDIS_CLUSTER: 'true' },
      primaries: owners,
      replica,
      moveSlot,
      close: servers.close,
    }
  } catch (error) {
    await servers.close()
    throw error
  }
}

async function untilComplete(node: RedisServer, nodes: number): Promise<void> {
  await eventually(async () => {
    const info = await node.send('CLUSTER', 'INFO')
    return info.includes('cluster_state:ok') && info.includes(`cluster_known_nodes:${nodes}`)
  })
}

/** Moves a slot, with its keys, to another primary. */
async function moveSlot(slot: number, from: RedisServer, to: RedisServer): Promise<void> {
  const fromId = await from.send('CLUSTER', 'MYID')
  const toId = await to.send('CLUSTER', 'MYID')
  await to.send('CLUSTER', 'SETSLOT', `${slot}`, 'IMPORTING', fromId)
  await from.send('CLUSTER', 'SETSLOT', `${slot}`, 'MIGRATING', toId)
  for (;;) {
    const keys = await from.send<string[]>('CLUSTER', 'GETKEYSINSLOT', `${slot}`, '100')
    if (keys.length === 0) break
    await from.send('MIGRATE', '127.0.0.1', `${to.port}`, '', '0', '5000', 'KEYS', ...keys)
  }
  await to.send('CLUSTER', 'SETSLOT', `${slot}`, 'NODE', toId)
  await from.send('CLUSTER', 'SETSLOT', `${slot}`, 'NODE', toId)
}
