import { globSync, readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { expect } from 'chai'
import { loadAll } from 'js-yaml'
import { temporaryFolder } from '../../development/temporary-folder.ts'
import { runProgram } from '../../harness/system-program.ts'
import { compile } from '../compile.ts'

const folder = 'deploy/kubernetes'

interface Manifest {
  apiVersion: string
  kind: string
  metadata: { name: string; labels: { component: string } }
  // biome-ignore lint/suspicious/noExplicitAny: of each kind another one.
  spec: any
}

describe('The Kubernetes manifests', () => {
  const temporary = temporaryFolder()
  const manifests = globSync(`${folder}/*/*.yaml`)
    .flatMap(file => loadAll(readFileSync(file, 'utf8')) as Manifest[])
    .filter(({ kind }) => !['Kustomization', 'Component'].includes(kind))
  const deployments = manifests.filter(
    ({ kind, metadata }) => kind === 'Deployment' && metadata.name !== 'any',
  )

  it('have only fields that Kubernetes has, each with a value of its type', async () => {
    const typed = manifests.filter(({ kind }) => kind !== 'PodMonitor')
    expect(typed.map(({ kind }) => kind)).to.include.members(['Job', 'Deployment', 'Ingress'])
    const program = [partial, ...typed.map(typedConstant)].join('\n')
    await writeFile(join(temporary.path, 'manifests.ts'), program)
    const compilerOptions = { strict: true, noEmit: true, module: 'preserve', types: [] }
    expect(await compile(temporary.path, compilerOptions, ['manifests.ts'])).to.equal('')
  })

  it('use the secrets that create-secrets.sh creates', () => {
    const used = JSON.stringify(manifests).match(/(?<="secretName":")age-verification[\w-]*/g)
    const script = readFileSync(`${folder}/create-secrets.sh`, 'utf8')
    const created = [...script.matchAll(/create secret generic (\S+)/g)].map(([, name]) => name!)
    expect([...new Set(used)]).to.have.members(created)
  })

  it('are applied by scripts without a fault of syntax', async () => {
    for (const script of globSync(`${folder}/*.sh`)) await runProgram('/bin/sh', ['-n', script])
  })

  it('leave the number of API processes to the autoscaler', () => {
    const found = (kind: string) =>
      manifests.find(manifest => manifest.kind === kind && manifest.metadata.name === 'api')!.spec
    expect(found('Deployment').replicas).to.equal(undefined)
    const { minReplicas, scaleTargetRef } = found('HorizontalPodAutoscaler')
    expect({ minReplicas, ...scaleTargetRef }).to.include({ minReplicas: 2, kind: 'Deployment', name: 'api' })
  })

  it('have every pod scraped where the component of the Prometheus operator is added', () => {
    const { selector, podMetricsEndpoints } = manifests.find(({ kind }) => kind === 'PodMonitor')!.spec
    const values = deployments.map(({ spec }) => spec.template.metadata.labels.component).toSorted()
    expect(selector.matchExpressions).to.deep.equal([{ key: 'component', operator: 'In', values }])
    for (const { spec } of deployments) {
      const ports = spec.template.spec.containers[0].ports.map(({ name }: { name: string }) => name)
      expect(ports).to.include(podMetricsEndpoints[0].port)
    }
  })
})

/** Kustomize adds what a file leaves out. */
const partial =
  'type Partly<T> = T extends (infer E)[] ? Partly<E>[] : T extends object ? { [K in keyof T]?: Partly<T[K]> } : T'

/** A declaration that compiles only if the manifest is one. */
function typedConstant(manifest: Manifest, index: number): string {
  const [version, group = 'core'] = manifest.apiVersion.split('/').reverse() as [string, string?]
  const module = JSON.stringify(resolve('node_modules/kubernetes-types', group.split('.')[0]!, version))
  return `export const manifest${index}: Partly<import(${module}).${manifest.kind}> = ${JSON.stringify(manifest)}`
}
