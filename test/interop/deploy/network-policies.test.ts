import { BlockList } from 'node:net'
import { expect } from 'chai'
import { describeWith } from '../../harness/system-program.ts'
import { kubectl, type Manifest, runKustomize } from './kustomize.ts'

describeWith([kubectl], 'The network policies of Kubernetes', () => {
  let policies: NetworkPolicy[]
  before('build them', async () => {
    const manifests = await runKustomize('deploy/kubernetes/service')
    policies = manifests.filter(({ kind }) => kind === 'NetworkPolicy') as (Manifest & NetworkPolicy)[]
  })

  const [privateAddress, cluster, publicAddress] = ['10.1.2.3', 'pod', '203.0.113.7']
  const everyComponent = ['api', 'callbacks', 'worker', 'migration']
  const reached: [string, string[], string, number][] = [
    ['names', everyComponent, cluster, 53],
    ['PostgreSQL', everyComponent, privateAddress, 5432],
    ['PgBouncer', everyComponent, privateAddress, 6432],
    ['Redis', everyComponent, privateAddress, 6379],
    ['Redis with TLS', everyComponent, privateAddress, 6380],
    ['Sentinels of Redis', everyComponent, cluster, 26_379],
    ['the collector of traces', everyComponent, privateAddress, 4318],
    ['the identity provider', everyComponent, publicAddress, 443],
    ['a sign-in provider in the cluster', ['api', 'callbacks'], cluster, 8443],
    ['a sign-in provider at its usual port', ['api', 'callbacks'], cluster, 443],
    ['the ingress controller, where BASE_URL leads', ['api', 'callbacks', 'worker'], 'ingress', 443],
    ['webhook receivers', ['worker'], publicAddress, 8443],
  ]
  for (const [what, components, address, port] of reached) {
    it(`let ${components.join(', ')} reach ${what}, and no other pod`, () => {
      expect(everyComponent.filter(component => reaches(component, address, port))).to.deep.equal(components)
    })
  }

  it('let nothing reach private addresses, the metadata of the machine or the API server', () => {
    for (const [address, port] of [
      ['169.254.169.254', 80],
      ['10.96.0.1', 443],
      ['fd00::1', 443],
    ] as const) {
      expect(everyComponent.filter(component => reaches(component, address, port))).to.deep.equal([])
    }
  })

  function reaches(component: string, address: string, port: number): boolean {
    return policies
      .filter(({ spec }) => selects(spec.podSelector, component))
      .flatMap(({ spec }) => spec.egress)
      .some(
        ({ to, ports }) => isOneOf(to, address) && (!ports || ports.some(allowed => allowed.port === port)),
      )
  }
})

interface Selector {
  matchLabels?: { component: string }
  matchExpressions?: { values: string[] }[]
}

interface Peer {
  ipBlock?: { cidr: string; except: string[] }
  /** Of pods in the cluster: any, or those of the ingress controller. */
  namespaceSelector?: { matchLabels?: object }
}

interface NetworkPolicy {
  spec: { podSelector: Selector; egress: { to?: Peer[]; ports?: { port: number }[] }[] }
}

function selects({ matchLabels, matchExpressions = [] }: Selector, component: string): boolean {
  return (
    (matchLabels === undefined || matchLabels.component === component) &&
    matchExpressions.every(({ values }) => values.includes(component))
  )
}

/** An address, or `ingress` or `pod` for one of the ingress controller or of another pod of this cluster. */
function isOneOf(peers: Peer[] | undefined, address: string): boolean {
  if (!peers) return true
  return peers.some(({ ipBlock, namespaceSelector }) => {
    if (address === 'ingress') return namespaceSelector
    if (address === 'pod') return namespaceSelector && !namespaceSelector.matchLabels
    return ipBlock && contains([ipBlock.cidr], address) && !contains(ipBlock.except, address)
  })
}

function contains(ranges: string[], address: string): boolean {
  const list = new BlockList()
  const family = (text: string) => (text.includes(':') ? 'ipv6' : 'ipv4')
  for (const range of ranges.filter(range => family(range) === family(address))) {
    const [network = '', bits] = range.split('/')
    list.addSubnet(network, Number(bits), family(network))
  }
  return list.check(address, family(address))
}
