import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import { programVersion as version } from '#domain/schema/program-version.ts'
import { temporaryFolder } from '../../development/temporary-folder.ts'
import { runProgram } from '../../harness/system-program.ts'

const repository = 'registry.example/age-verification-service'
const [base, built] = ['a', 'b'].map(digit => `sha256:${digit.repeat(64)}`)

/** Knows one digest for each image, and records its other commands. */
const recordingDocker = `#!/bin/sh
case "$*" in
  'buildx imagetools inspect'*) printf 'Name: %s\\nDigest:    ${base}\\n\\nManifests:\\n  Digest: other\\n' "$4" ;;
  'image inspect'*) printf 'other.example/name@${built}\\n${repository}@${built}\\n\\n' ;;
  *) echo "$*" >>"$RECORD"; echo 'output of docker' ;;
esac
`

describe('deploy/build-image.sh', () => {
  const temporary = temporaryFolder()
  before('put a docker on the PATH that records its commands', async () => {
    await mkdir(join(temporary.path, 'bin'))
    await writeFile(join(temporary.path, 'bin/docker'), recordingDocker, { mode: 0o755 })
  })

  it('builds on a base by digest, with version, commit, time and source', async () => {
    const { stdout, calls } = await build([], {
      GIT_COMMIT: 'c'.repeat(40),
      SOURCE: 'https://source.example',
    })
    expect(stdout).to.equal(`age-verification-service:${version}\n`)
    expect(calls).to.have.length(1)
    const given = Object.fromEntries(
      [...calls[0]!.matchAll(/--build-arg (\w+)=(\S+)/g)].map(([, ...pair]) => pair),
    )
    const { NODE_IMAGE, CREATED, ...others } = given
    expect(others).to.deep.equal({
      VERSION: version,
      GIT_COMMIT: 'c'.repeat(40),
      SOURCE: 'https://source.example',
    })
    const [, tag] = /^ARG NODE_IMAGE=(.+)$/m.exec(await readFile('deploy/Dockerfile', 'utf8'))!
    expect(NODE_IMAGE).to.equal(`${tag}@${base}`)
    expect(Date.now() - Date.parse(CREATED!)).to.be.within(0, 60_000)
    for (const name of Object.keys(given)) {
      expect(await readFile('deploy/Dockerfile', 'utf8')).to.match(new RegExp(`^ARG ${name}$`, 'm'))
    }
  })

  it('pushes to a registry, and prints what deploy.sh gets', async () => {
    const { stdout, calls } = await build([repository], { GIT_COMMIT: 'c'.repeat(40) })
    expect(calls.at(-1)).to.equal(`push ${repository}:${version}`)
    expect(stdout).to.equal(`${repository}@${built}\n`)
  })

  it('rejects a base without a digest', async () => {
    const rejected = await build([], { NODE_IMAGE: 'node:24' }).catch((error: { stderr: string }) => error)
    expect(rejected).to.include({ code: 1, stderr: 'NODE_IMAGE has no digest: node:24\n' })
  })

  async function build(args: string[], settings: Record<string, string>) {
    const record = join(temporary.path, args.join('-').replaceAll('/', '-') || 'local')
    const env = { PATH: `${join(temporary.path, 'bin')}:${process.env.PATH}`, RECORD: record, ...settings }
    const { stdout } = await runProgram('deploy/build-image.sh', args, { env })
    return { stdout, calls: (await readFile(record, 'utf8')).trim().split('\n') }
  }
})
