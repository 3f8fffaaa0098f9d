import { basename } from 'node:path'
import { Asset } from '../dashboard/asset.ts'
import { type Manifest, readPackument } from './released.ts'

/** What npm asks for to install, and gets less of. */
const abbreviatedType = 'application/vnd.npm.install-v1+json'

/** Of a manifest, what its registry's abbreviated form has. */
const abbreviatedFields =
  /^(name|version|dist|bin|engines|os|cpu|(optional|peer)?[dD]ependencies|peerDependenciesMeta|deprecated)$/

interface NpmRegistry {
  /** By the path below `/npm/`, the package, each of its versions and tags, and the ping, in the media types that there are. */
  documents: Map<string, Record<string, Asset>>
  /** The names of released files, by their paths below `/npm/`, which are those of npm's own registry. */
  tarballs: Map<string, string>
}

export function createNpmRegistry(baseUrl: string): NpmRegistry {
  const released = readPackument()
  const { name, 'dist-tags': tags, time } = released
  const tarballs = new Map<string, string>()
  const versions = mapValues(released.versions, (manifest, version) => {
    const path = `${name}/-/${basename(name)}-${version}.tgz`
    tarballs.set(path, manifest.dist.tarball)
    return { ...manifest, dist: { ...manifest.dist, tarball: `${baseUrl}/npm/${path}` } }
  })
  const toManifest = (version: string) => ({ 'application/json': toAsset(versions[version]!) })
  const documents = new Map<string, Record<string, Asset>>()
  documents.set(name, {
    'application/json': toAsset({ ...released, versions }),
    [abbreviatedType]: toAsset({
      name,
      'dist-tags': tags,
      modified: time.modified,
      time,
      versions: mapValues(versions, abbreviate),
    }),
  })
  documents.set('-/ping', { 'application/json': toAsset({}) })
  for (const version of Object.keys(versions)) documents.set(`${name}/${version}`, toManifest(version))
  for (const [tag, version] of Object.entries(tags)) documents.set(`${name}/${tag}`, toManifest(version))
  return { documents, tarballs }
}

function mapValues<Value, Result>(
  values: Record<string, Value>,
  change: (value: Value, key: string) => Result,
) {
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [key, change(value, key)]))
}

function abbreviate(manifest: Manifest): object {
  return Object.fromEntries(Object.entries(manifest).filter(([field]) => abbreviatedFields.test(field)))
}

function toAsset(value: object): Asset {
  return new Asset('packument.json', Buffer.from(JSON.stringify(value)))
}
