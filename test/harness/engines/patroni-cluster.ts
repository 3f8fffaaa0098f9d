import { spawn } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parseEnv } from 'node:util'
import { serverAccount } from '#development/postgres/account.ts'
import { freePort } from '#server/http/free-port.ts'
import { eventually } from '../eventually.ts'
import { endProcess, killOnExit } from '../processes/process-tree.ts'
import { findProgram, type Requirement } from '../system-program.ts'
import { PatroniNode } from './patroni-node.ts'

/** Patroni needs more of PostgreSQL's programs than the embedded one has. */
const postgres = globSync('/usr/lib/postgresql/*/bin/pg_rewind').toSorted().at(-1)

export const patroniPrograms: Requirement = {
  isMissing: !postgres || !['patroni', 'patronictl', 'etcd'].every(findProgram),
  reason: 'no patroni, etcd or complete PostgreSQL (apt-get install patroni etcd-server postgresql)',
}

/** Debian's PostgreSQL has its sockets in a folder of the user `postgres`. */
export const root: Requirement = {
  isMissing: process.getuid?.() !== 0,
  reason: "not run as root, who may start servers as Debian's user postgres",
}

const patiently = { timeoutMs: 90_000 }

/** Three nodes under Patroni, configured by the files of `deploy/patroni`, with one etcd instead of three. */
export class PatroniCluster {
  readonly nodes: readonly PatroniNode[]

  private constructor(nodes: readonly PatroniNode[]) {
    this.nodes = nodes
  }

  /** Resolves when all nodes run and commits wait for a standby. */
  static async open(folder: string, closing: AsyncDisposableStack): Promise<PatroniCluster> {
    const account = await serverAccount()
    const etcdPort = await startEtcd(folder, closing)
    const nodes: PatroniNode[] = []
    for (const name of ['one', 'two', 'three']) {
      const options = { name, folder: join(folder, `node-${name}`), account, etcdPort }
      const node = await PatroniNode.open({ ...options, binaries: dirname(postgres!) })
      nodes.push(closing.adopt(node, opened => opened.close()))
      node.start()
    }
    const cluster = new PatroniCluster(nodes)
    await cluster.untilRedundant()
    return cluster
  }

  /** Resolves with the primary when a standby may be promoted without a loss, and the other one runs too. */
  async untilRedundant(): Promise<PatroniNode> {
    const [primary] = await eventually(
      () => Promise.all(['/primary', '/synchronous', '/asynchronous'].map(check => this.#passing(check))),
      { ...patiently, until: found => found.every(nodes => nodes.length === 1) },
    )
    return primary![0]!
  }

  /** Resolves with the first of these nodes that has been promoted. */
  async untilPromoted(candidates: readonly PatroniNode[]): Promise<PatroniNode> {
    const findPromoted = async () => {
      const arePromoted = await Promise.all(candidates.map(node => node.acceptsWrites()))
      return candidates.find((_, index) => arePromoted[index])
    }
    const found = await eventually(findPromoted, { ...patiently, until: node => node !== undefined })
    return found!
  }

  /** The lines of the documented HAProxy that name the nodes. */
  get haproxyServers(): string[] {
    return this.nodes.map(({ options: { name }, networks: { postgres, api } }) => {
      return `  server ${name} 127.0.0.1:${postgres.port} check port ${api.port}`
    })
  }

  async #passing(check: string): Promise<PatroniNode[]> {
    const passes = await Promise.all(this.nodes.map(node => node.passes(check)))
    return this.nodes.filter((_, index) => passes[index])
  }
}

/** Starts one member. Returns its port for clients. */
async function startEtcd(folder: string, closing: AsyncDisposableStack): Promise<number> {
  const [port, peerPort] = [await freePort(), await freePort()]
  const documented = readFileSync('deploy/patroni/etcd.env.example', 'utf8')
  const local = documented
    .replaceAll('10.0.0.1:2379', `127.0.0.1:${port}`)
    .replaceAll('10.0.0.1:2380', `127.0.0.1:${peerPort}`)
    .replace(/^(ETCD_INITIAL_CLUSTER=[^,]+).*$/m, '$1')
  const env = { ...parseEnv(local), ETCD_DATA_DIR: join(folder, 'etcd') }
  const etcd = killOnExit(spawn(findProgram('etcd')!, [], { stdio: 'ignore', env }))
  closing.defer(() => endProcess(etcd))
  await eventually(async () => (await fetch(`http://127.0.0.1:${port}/health`)).ok, patiently)
  return port
}
