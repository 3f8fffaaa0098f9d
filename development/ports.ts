import { readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { freePort, isPortFree } from '#server/http/free-port.ts'
import { loopback } from './embedded-context.ts'

/**
 * Chooses a loopback port for each named part: the one stored in the data folder, else `servicePort` + 2 + its
 * position in the list (the next one is for a second service), else a free one. The choice is stored for the next start. `servicePort` and the `reserved`
 * ports are never chosen.
 *
 * Stop a part that is still running (PostgreSQL after a crash) before the call, or its port counts as taken.
 */
export async function choosePorts<Name extends string>(
  folder: string,
  servicePort: number,
  names: readonly Name[],
  reserved: readonly number[] = [],
): Promise<Record<Name, number>> {
  const file = join(folder, 'ports.json')
  const stored = await readPorts(file)
  const chosen: [Name, number][] = []
  for (const [index, name] of names.entries()) {
    const used = [servicePort, ...reserved, ...chosen.map(([, port]) => port)]
    const wanted = [stored[name], servicePort + 2 + index].filter(isPort)
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
    // Missing or damaged: stable ports are a convenience only.
    return {}
  }
}

function isPort(port: unknown): port is number {
  return Number.isInteger(port) && (port as number) >= 1 && (port as number) <= 65_535
}

async function firstFree(wanted: number[], used: number[]): Promise<number> {
  for (const port of wanted) if (!used.includes(port) && (await isPortFree(loopback, port))) return port
  const port = await freePort(loopback)
  return used.includes(port) ? await firstFree([], used) : port
}
