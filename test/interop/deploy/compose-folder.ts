import { readFileSync } from 'node:fs'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { assignments, composeServices } from '../../architecture/deployed-processes.ts'

// Of a copy of `deploy` in which `compose/prepare.sh` has written settings and secrets.

/** The environment of a service, with its secrets from there. */
export function readEnvironment(
  deploy: string,
  service: string,
  others: Record<string, string> = {},
): Record<string, string> {
  const settings = assignments(readFileSync(join(deploy, '.env'), 'utf8'))
  const services = composeServices({ ...settings, ...others })
  const { env } = services.find(({ name }) => name === `compose: ${service}`)!
  return Object.fromEntries(
    Object.entries(env).map(([key, value]) => [key, value.replace('/run/secrets', join(deploy, secrets))]),
  )
}

/** Replaces the paths that a file has inside of a container, and what `change` does. Returns its path. */
export async function adaptPaths(
  deploy: string,
  name: string,
  change = (text: string) => text,
): Promise<string> {
  const file = join(deploy, name)
  const text = change(await readFile(file, 'utf8'))
  const adapted = text
    .replaceAll('/run/secrets', join(deploy, secrets))
    .replace('/etc/age-verification', join(deploy, 'postgresql'))
    .replace('/etc/redis', join(deploy, 'redis'))
    .replace('/tmp/', `${deploy}/`)
  await writeFile(file, adapted)
  return file
}

/** Replaces a name of the network of containers in the URLs. */
export async function leadTo(deploy: string, name: string, host: string): Promise<void> {
  const folder = join(deploy, secrets)
  for (const file of (await readdir(folder)).filter(file => file.endsWith('-url'))) {
    const url = await readFile(join(folder, file), 'utf8')
    await writeFile(join(folder, file), url.replace(`@${name}`, `@${host}`))
  }
}

const secrets = 'compose/secrets'
