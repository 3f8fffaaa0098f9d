import { readFileSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { expect } from 'chai'
import { loadAll } from 'js-yaml'
import { temporaryFolder } from '../../development/temporary-folder.ts'
import { describeWith, findProgram, runProgram } from '../../harness/system-program.ts'

const folder = 'deploy/kubernetes'
const kubectl = { isMissing: !findProgram('kubectl'), reason: 'no kubectl on the PATH' }

interface Manifest {
  apiVersion: string
  kind: string
}

describeWith([kubectl], 'The Kubernetes manifests', function () {
  this.timeout(60_000)
  const temporary = temporaryFolder()
  const manifests: Manifest[] = []
  before('build them', async () => {
    for (const part of ['migration', 'service']) {
      const { stdout } = await runProgram('kubectl', ['kustomize', `${folder}/${part}`])
      manifests.push(...(loadAll(stdout) as Manifest[]))
    }
  })

  it('have only fields that Kubernetes has, each with a value of its type', async () => {
    expect(manifests.map(({ kind }) => kind)).to.include.members(['Job', 'Deployment', 'Ingress'])
    await writeFile(join(temporary.path, 'manifests.ts'), `${manifests.map(typedConstant).join('\n')}\n`)
    const compilerOptions = { strict: true, noEmit: true, module: 'preserve', types: [] }
    const config = JSON.stringify({ compilerOptions, files: ['manifests.ts'] })
    await writeFile(join(temporary.path, 'tsconfig.json'), config)
    const compile = runProgram(resolve('node_modules/.bin/tsc'), ['-p', temporary.path])
    const { stdout } = await compile.catch((error: { stdout: string }) => error)
    expect(stdout).to.equal('')
  })

  it('use the secrets that create-secrets.sh creates', () => {
    const used = JSON.stringify(manifests).match(/(?<="secretName":")age-verification[\w-]*/g)
    const script = readFileSync(`${folder}/create-secrets.sh`, 'utf8')
    const created = [...script.matchAll(/create secret generic (\S+)/g)].map(([, name]) => name!)
    expect([...new Set(used)]).to.have.members(created)
  })
})

describe('The scripts for Kubernetes', () => {
  const temporary = temporaryFolder()
  before('put a kubectl on the PATH that records its commands', async () => {
    await mkdir(join(temporary.path, 'bin'))
    await writeFile(join(temporary.path, 'bin/kubectl'), recordingKubectl, { mode: 0o755 })
  })

  it('create the namespace before the secrets', async () => {
    const { calls } = await runScript('create-secrets.sh')
    expect(calls).to.have.length(3)
    expect(calls[0]).to.match(/^apply -f .*namespace\.yaml$/)
  })

  it('replace the service after the migration has completed', async () => {
    const { code, calls } = await runScript('deploy.sh', 'SuccessCriteriaMet Complete')
    expect({ code, last: calls.at(-1) }).to.deep.equal({ code: 0, last: 'apply -k service' })
  })

  it('leave the service as it is after a migration that failed', async () => {
    const { code, calls } = await runScript('deploy.sh', 'FailureTarget Failed')
    expect(code).to.equal(1)
    expect(calls).to.include('apply -k migration').and.not.include('apply -k service')
  })

  async function runScript(script: string, conditions = '') {
    const record = join(temporary.path, `${script} ${conditions}`)
    const PATH = `${join(temporary.path, 'bin')}:${process.env.PATH}`
    const env = { PATH, RECORD: record, CONDITIONS: conditions }
    const ended = runProgram(resolve(folder, script), { env }).then(() => ({ code: 0 }))
    const { code } = await ended.catch((error: { code: number }) => error)
    return { code, calls: (await readFile(record, 'utf8')).trim().split('\n') }
  }
})

/** Rejects secrets of a namespace that doesn't exist, as Kubernetes does. */
const recordingKubectl = `#!/bin/sh
case "$*" in
  *'create secret'*) grep -q namespace.yaml "$RECORD" || exit 1 ;;
  *'get job'*) echo "$CONDITIONS" ;;
esac
echo "$*" >>"$RECORD"
`

/** A declaration that compiles only if the manifest is one. */
function typedConstant(manifest: Manifest, index: number): string {
  const [version, group = 'core'] = manifest.apiVersion.split('/').reverse() as [string, string?]
  const module = JSON.stringify(resolve('node_modules/kubernetes-types', group.split('.')[0]!, version))
  return `export const manifest${index}: import(${module}).${manifest.kind} = ${JSON.stringify(manifest)}`
}
