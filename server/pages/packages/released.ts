import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { repositoryFolder } from '../docs/documents.ts'

/** What `npm run release-clients` keeps: every released client, as lock files name it, and what package managers ask. */
export const releasedFolder = join(repositoryFolder, 'clients/released')

/** The `Cache-Control` of a released file. */
export const immutable = 'public, max-age=31536000, immutable'

/** What npm's registry has of a package; `dist.tarball` is the name of a file of the folder. */
export interface Packument {
  name: string
  'dist-tags': { latest: string }
  versions: Record<string, Manifest>
  time: Record<string, string> & { modified: string }
}
export type Manifest = Record<string, unknown> & { dist: { tarball: string } }

/** What an index of Python packages has of a project (PEP 691 and 700); URLs are relative to its page. */
export interface ProjectDetail {
  name: string
  versions: string[]
  files: { filename: string; url: string; hashes: { sha256: string }; 'requires-python': string }[]
}

export function readPackument(): Packument {
  return readJson('npm.json')
}

export function readProjectDetail(): ProjectDetail {
  return readJson('simple.json')
}

function readJson(file: string) {
  return JSON.parse(readFileSync(join(releasedFolder, file), 'utf8'))
}
