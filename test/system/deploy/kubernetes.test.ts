import { globSync, readFileSync } from 'node:fs'
import { cp, readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { expect } from 'chai'
import { temporaryFolder } from '../../development/temporary-folder.ts'
import { describeWith, runProgram } from '../../harness/system-program.ts'
import { compile } from '../compile.ts'
import { kubectl, type Manifest, runKustomize } from './kustomize.ts'

const folder = 'deploy/kubernetes'

describeWith([kubectl], 'The Kubernetes manifests', function () {
  this.timeout(60_000)
  const temporary = temporaryFolder()
  const manifests: Manifest[] = []
  before('build them', async () => {
    for (const part of ['migration', 'service']) manifests.push(...(await runKustomize(join(folder, part))))
  })

  it('have only fields that Kubernetes has, each with a value of its type', async () => {
    expect(manifests.map(({ kind }) => kind)).to.include.members(['Job', 'Deployment', 'Ingress'])
    await writeFile(join(temporary.path, 'manifests.ts'), `${manifests.map(typedConstant).join('\n')}\n`)
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
    const found = (kind: string, name: string) =>
      manifests.find(manifest => manifest.kind === kind && manifest.metadata.name === name) as Manifest & {
        spec: { replicas?: number; minReplicas?: number; scaleTargetRef?: object }
      }
    expect(found('Deployment', 'api').spec.replicas).to.equal(undefined)
    const { minReplicas, scaleTargetRef } = found('HorizontalPodAutoscaler', 'api').spec
    expect({ minReplicas, ...scaleTargetRef }).to.include({ minReplicas: 2, kind: 'Deployment', name: 'api' })
  })

  it('have every pod scraped where the component of the Prometheus operator is added', async () => {
    await cp(folder, join(temporary.path, 'kubernetes'), { recursive: true })
    const kustomization = join(temporary.path, 'kubernetes/service/kustomization.yaml')
    const text = await readFile(kustomization, 'utf8')
    await writeFile(kustomization, text.replace('# - ../pod-monitor', '- ../pod-monitor'))
    const added = (await runKustomize(join(temporary.path, 'kubernetes/service'))).filter(
      ({ kind }) => kind === 'PodMonitor',
    ) as (Manifest & PodMonitor)[]
    expect(added.map(({ metadata }) => metadata.namespace)).to.deep.equal(['age-verification'])
    const { selector, podMetricsEndpoints } = added[0]!.spec
    const pods = deployments().map(({ spec }) => spec.template)
    const components = pods.map(({ metadata }) => metadata.labels.component)
    expect(selector.matchExpressions).to.deep.equal([
      { key: 'component', operator: 'In', values: components.toSorted() },
    ])
    for (const { spec } of pods) {
      const ports = spec.containers[0].ports.map(({ name }) => name)
      expect(ports).to.include(podMetricsEndpoints[0].port)
    }
  })

  function deployments() {
    return manifests.filter(({ kind }) => kind === 'Deployment') as (Manifest & Deployment)[]
  }
})

interface Deployment {
  spec: {
    template: {
      metadata: { labels: { component: string } }
      spec: { containers: [{ ports: { name: string }[] }] }
    }
  }
}

interface PodMonitor {
  spec: { selector: { matchExpressions: object[] }; podMetricsEndpoints: [{ port: string }] }
}

/** A declaration that compiles only if the manifest is one. */
function typedConstant(manifest: Manifest, index: number): string {
  const [version, group = 'core'] = manifest.apiVersion.split('/').reverse() as [string, string?]
  const module = JSON.stringify(resolve('node_modules/kubernetes-types', group.split('.')[0]!, version))
  return `export const manifest${index}: import(${module}).${manifest.kind} = ${JSON.stringify(manifest)}`
}
