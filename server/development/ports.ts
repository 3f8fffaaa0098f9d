import { readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { assertPortFree, freePort } from '../http/listen.ts'
import { loopback } from './loopback.ts'

/**
 * A loopback port for each named part: the one remembered in the data folder, else the one that follows
 * `servicePort` at its place in the list, else a free one. The choice is remembered for the next start.
 *
 * A `reserved` port is left to the service itself.
 *
 * A part that was running already (PostgreSQL after a crash) must be stopped first, or its port is taken.
 */
export async function choosePorts<Name extends string>(
  folder: string,
  servicePort: number,
  names: readonly Name[],
  reserved: readonly number[] = [],
): Promise<Record<Name, number>> {
  const file = join(folder, 'ports.json')
  const remembered = await readPorts(file)
  const chosen: [Name, number][] = []
  for (const [index, name] of names.entries()) {
    const used = [servicePort, ...reserved, ...chosen.map(([, port]) => port)]
    const wanted = [remembered[name], servicePort + 1 + index].filter(isUsable)
    chosen.push([name, await firstFree(wanted, used)])
  }
  const ports = Object.fromEntries(chosen) as Record<Name, number>
  await writeFile(`${file}.new`, `${JSON.stringify(ports)}\n`)
  await rename(`${file}.new`, file)
  return ports
}

async function readPorts(file: string): Promise<Record<string, unknown>> {
  try {
    return { ...JSON.parse(await readFile(file, 'utf8')) }
  } catch {
    // Missing or damaged: the memory is a comfort only.
    return {}
  }
}

function isUsable(port: unknown): port is number {
  return Number.isInteger(port) && (port as number) >= 1 && (port as number) <= 65_535
}

async function firstFree(wanted: number[], used: number[]): Promise<number> {
  for (const port of wanted) if (!used.includes(port) && (await isFree(port))) return port
  const port = await freePort(loopback)
  return used.includes(port) ? await firstFree([], used) : port
}

async function isFree(port: number): Promise<boolean> {
  return await assertPortFree({ host: loopback, port }).then(
    () => true,
    () => false,
  )
}
