import { writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { freePort } from '#server/http/free-port.ts'
import { eventually } from '../eventually.ts'
import { listenLocally } from '../listen-locally.ts'
import { findProgram, outcomeOf } from '../system-program.ts'
import type { ServiceFixture } from './service-fixture.ts'
import type { ServiceProcess } from './service-process.ts'

export const curl = { isMissing: !findProgram('curl'), reason: 'no curl' }

/** Asks the test to do what systemd does. */
const systemctl = `#!/bin/sh
exec curl --silent --fail "$CONTROL/$1/$2"
`

export type RestartedInstances = Awaited<ReturnType<typeof createInstances>>

/**
 * Instances of the API, by name, that the real `restart-api.sh` restarts as it does with systemd. None is started yet;
 * `settings` are read at each start. Needs `curl`.
 */
export async function createInstances(
  fixture: ServiceFixture,
  settings: Record<string, string>,
  closing: AsyncDisposableStack,
) {
  const running = new Map<string, ServiceProcess>()
  const server = createServer(async ({ url }, response) => {
    const [, name = ''] = /^\/restart\/age-verification-api@(\d)$/.exec(url ?? '') ?? []
    response.writeHead((await restart(name)) ? 200 : 500).end()
  })
  const { url: control, close } = await listenLocally(server)
  closing.defer(close)
  await writeFile(join(fixture.folder, 'systemctl'), systemctl, { mode: 0o755 })

  /** As systemd does for `Type=notify`: resolves when the instance is ready, with true, or has ended. */
  async function restart(name: string): Promise<boolean> {
    const before = running.get(name)
    before?.signal('SIGTERM')
    await before?.ended
    const port = before?.port ?? (await freePort())
    const instance = await fixture.launch({ name, port, env: { ...settings } })
    running.set(name, instance)
    return await eventually(async () => (instance.isRunning() ? await instance.isReady() : 'ended'), {
      timeoutMs: 60_000,
    }).then(outcome => outcome === true)
  }

  return {
    running,
    restart,
    /** Runs it for all of them. */
    async runScript(variables: Record<string, string> = {}): Promise<{ code: number; err: string }> {
      const env = { PATH: `${fixture.folder}:${process.env.PATH}`, CONTROL: control, ...variables }
      const outcome = await outcomeOf('deploy/systemd/restart-api.sh', [...running.keys()], { env })
      return { code: outcome.code, err: outcome.stderr }
    },
  }
}
