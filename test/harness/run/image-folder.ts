import { globSync, readFileSync, statSync } from 'node:fs'
import { chmod, cp, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join, matchesGlob, resolve } from 'node:path'
import { runProgram } from '../system-program.ts'
import { sharedResource } from './shared-resources.ts'

interface Stage {
  folder: string
  workdir: string
}

/**
 * Runs the steps of `deploy/Dockerfile` in folders, without a container engine: each stage's root is a folder of that name.
 * The dashboard is that which the tests have built. Returns the root of the image.
 */
export async function buildImageFolder(closing: AsyncDisposableStack): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'age-verification-image-'))
  closing.defer(() => rm(folder, { recursive: true, force: true }))
  await sharedResource('built')
  const stages = new Map<string, Stage>([['dashboard', { folder: '', workdir: '' }]])
  let stage: Stage = { folder, workdir: '/' }
  for (const [instruction, text] of readInstructions()) {
    if (instruction === 'FROM') {
      const name = / AS (\w+)$/.exec(text)?.[1] ?? 'image'
      stage = stages.get(name) ?? { folder: join(folder, name), workdir: '/' }
      stages.set(name, stage)
    } else if (stage.folder === '') {
      // The tests have built it.
    } else if (instruction === 'WORKDIR') {
      stage.workdir = text
      await mkdir(join(stage.folder, text), { recursive: true })
    } else if (instruction === 'RUN') {
      await runProgram('/bin/sh', ['-c', text], { cwd: join(stage.folder, stage.workdir) })
    } else if (instruction === 'COPY') {
      await copy(text, stage, stages)
    }
  }
  return stages.get('image')!.folder
}

/** Instructions with what follows them on their line and the lines that continue it. */
function readInstructions(): [string, string][] {
  const text = readFileSync('deploy/Dockerfile', 'utf8').replace(/^#.*\n/gm, '')
  const lines = text.replace(/\\\n\s*/g, '').split('\n')
  return lines
    .filter(line => line !== '')
    .map(line => [line.slice(0, line.indexOf(' ')), line.slice(line.indexOf(' ') + 1)])
}

async function copy(text: string, stage: Stage, stages: Map<string, Stage>): Promise<void> {
  const words = text.split(' ')
  const flags = new Map(
    words.filter(word => word.startsWith('--')).map(word => word.slice(2).split('=') as [string, string]),
  )
  const paths = words.filter(word => !word.startsWith('--'))
  const target = paths.pop()!
  const from = flags.get('from')
  for (const path of paths) {
    const isFolder = target.endsWith('/')
    const to = join(stage.folder, resolve(stage.workdir, target), isFolder ? basename(path) : '')
    if (from === 'dashboard') await cp(path.replace('/app/', ''), to, { recursive: true })
    else if (from)
      await cp(join(stages.get(from)!.folder, path), to, { recursive: true, verbatimSymlinks: true })
    else await copyFromContext(path, to)
    if (flags.has('chmod')) await chmod(to, Number.parseInt(flags.get('chmod')!, 8))
  }
}

/** Copies what `.dockerignore` lets through. */
async function copyFromContext(path: string, to: string): Promise<void> {
  const isFile = statSync(path).isFile()
  const files = isFile ? [path] : globSync(`${path}/**/*`, { exclude: ['**/node_modules'] })
  const admitted = files.filter(file => statSync(file).isFile() && isAdmitted(file))
  if (admitted.length === 0) throw new Error(`.dockerignore keeps ${path} out`)
  for (const file of admitted) await cp(file, join(to, file.slice(path.length)))
}

const patterns = readFileSync('.dockerignore', 'utf8')
  .split('\n')
  .filter(line => line !== '' && !line.startsWith('#'))

/** The last pattern that matches the file, or a folder that it is in, decides. */
function isAdmitted(file: string): boolean {
  const parents = file.split('/').map((_, index, all) => all.slice(0, index + 1).join('/'))
  const last = patterns.findLast(pattern => parents.some(path => matchesGlob(path, pattern.replace('!', ''))))
  return last?.startsWith('!') ?? true
}
