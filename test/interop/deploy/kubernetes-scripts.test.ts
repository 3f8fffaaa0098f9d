import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { expect } from 'chai'
import { temporaryFolder } from '../../development/temporary-folder.ts'
import { outcomeOf } from '../../harness/system-program.ts'

const folder = 'deploy/kubernetes'

describe('The scripts for Kubernetes', () => {
  const image = `registry.example/age-verification-service@sha256:${'0'.repeat(64)}`
  const temporary = temporaryFolder()
  before('put programs on the PATH that record their commands', async () => {
    await mkdir(join(temporary.path, 'bin'))
    await writeFile(join(temporary.path, 'bin/kubectl'), recordingKubectl, { mode: 0o755 })
    await writeFile(join(temporary.path, 'bin/sleep'), '#!/bin/sh\necho "$1" >>"$RECORD.sleep"\n', {
      mode: 0o755,
    })
  })

  it('create the namespace before the secrets', async () => {
    const { calls } = await runScript('create-secrets.sh', [])
    expect(calls).to.have.length(3)
    expect(calls[0]).to.match(/^apply -f .*namespace\.yaml$/)
  })

  it('replace the service with the image after the migration with it has completed, and wait for the pods', async () => {
    const { code, calls } = await runScript('deploy.sh', [image], {
      CONDITIONS: 'SuccessCriteriaMet Complete',
    })
    expect({ code, calls }).to.deep.equal({
      code: 0,
      calls: [
        '-n age-verification delete job migration --ignore-not-found --cascade=foreground',
        'kustomize migration',
        `apply image: ${image}`,
        '-n age-verification get job migration -o jsonpath={.status.conditions[*].type}',
        'kustomize service',
        `apply image: ${image}`,
        ...['callbacks', 'worker', 'api'].map(
          name => `-n age-verification rollout status deployment/${name}`,
        ),
      ],
    })
  })

  it('leave the service as it is after a migration that failed, and show its log', async () => {
    const { code, calls, stderr, seconds } = await runScript('deploy.sh', [image], {
      CONDITIONS: 'FailureTarget Failed',
    })
    expect({ code, stderr, seconds }).to.deep.equal({ code: 1, stderr: 'logs job/migration\n', seconds: 0 })
    expect(calls).to.include('kustomize migration').and.not.include('kustomize service')
  })

  it('give up after a minute in which the migration did not start, and show why', async () => {
    const { code, calls, stderr, seconds } = await runScript('deploy.sh', [image], { PHASE: 'Pending' })
    expect({ code, stderr }).to.deep.equal({
      code: 1,
      stderr: 'describe job/migration\ndescribe pods -l job-name=migration\n',
    })
    expect(seconds).to.be.within(50, 60)
    expect(calls).not.to.include('kustomize service')
  })

  it('reject an image by its tag', async () => {
    const { code, calls, stderr } = await runScript('deploy.sh', [
      'registry.example/age-verification-service:1.0.0',
    ])
    expect({ code, calls }).to.deep.equal({ code: 1, calls: [] })
    expect(stderr).to.match(/^usage: .*@sha256:DIGEST/)
  })

  async function runScript(script: string, args: string[], answers: Record<string, string> = {}) {
    const record = join(temporary.path, `${script} ${Object.values(answers)} ${args.length}`)
    const PATH = `${join(temporary.path, 'bin')}:${process.env.PATH}`
    const env = { PATH, RECORD: record, ...answers }
    const { code, stderr } = await outcomeOf(resolve(folder, script), args, { env })
    const [calls, sleeps] = await Promise.all([readLines(record), readLines(`${record}.sleep`)])
    return { code, stderr, calls, seconds: sleeps.reduce((sum, text) => sum + Number(text), 0) }
  }
})

async function readLines(file: string): Promise<string[]> {
  const text = await readFile(file, 'utf8').catch(() => '')
  return text.split('\n').filter(line => line !== '')
}

/** Rejects secrets of a namespace that doesn't exist, as Kubernetes does. Of manifests, it records the images. */
const recordingKubectl = `#!/bin/sh
case "$*" in
  *'create secret'*) grep -q namespace.yaml "$RECORD" || exit 1 ;;
  *'get job'*) echo "$CONDITIONS" ;;
  *'get pods'*) echo "$PHASE" ;;
  *'logs job/'* | *describe*) echo "\${*#-n age-verification }" ;;
  kustomize*) echo '  image: age-verification-service' ;;
  'apply -f -') echo "apply $(sed 's/^ *//')" >>"$RECORD"; exit ;;
esac
echo "$*" >>"$RECORD"
`
