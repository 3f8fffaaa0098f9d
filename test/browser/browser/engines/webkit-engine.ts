import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { globSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '#server/http/free-port.ts'
import { endProcess, killOnExit } from '../../../harness/processes/process-tree.ts'
import { findProgram } from '../../../harness/system-program.ts'
import type { Engine, EngineUser } from './engine.ts'
import { readSavedFile } from './saved-file.ts'
import { openPage } from './webdriver-page.ts'
import { startSession } from './webdriver-session.ts'

const driverPath = findProgram('WebKitWebDriver')
const displayPath = findProgram('Xvfb')
/** The browser that WebKitGTK brings for tests. */
const browserPath = globSync('/usr/lib/*/webkit*gtk-*/MiniBrowser').at(-1)

/** WebKitGTK, the engine of Safari, over WebDriver: a driver for each user, because a driver has one session. */
export const webkit: Engine = {
  name: 'WebKit',
  requirements: [
    {
      isMissing: driverPath === undefined || browserPath === undefined,
      reason: 'no WebKitWebDriver (apt-get install webkit2gtk-driver)',
    },
    { isMissing: displayPath === undefined, reason: 'no Xvfb (apt-get install xvfb)' },
  ],
  async launch() {
    const closing = new AsyncDisposableStack()
    const display = await startDisplay(closing)
    return { newUser: () => openUser(display, closing), close: () => closing.disposeAsync() }
  },
}

/** A screen in memory: WebKitGTK can't do without one. Resolves to its name. */
async function startDisplay(closing: AsyncDisposableStack): Promise<string> {
  const options = ['-displayfd', '1', '-nolisten', 'tcp', '-screen', '0', '1280x900x24']
  const display = killOnExit(spawn(displayPath!, options, { stdio: ['ignore', 'pipe', 'ignore'] }))
  closing.defer(() => endProcess(display, 'SIGTERM'))
  const [number] = await once(display.stdout!, 'data')
  return `:${String(number).trim()}`
}

async function openUser(display: string, closing: AsyncDisposableStack): Promise<EngineUser> {
  const home = await mkdtemp(join(tmpdir(), 'age-verification-webkit-'))
  closing.defer(() => rm(home, { recursive: true, force: true }))
  const port = await freePort()
  const env = { ...process.env, HOME: home, XDG_CONFIG_HOME: home, DISPLAY: display, GDK_BACKEND: 'x11' }
  const driver = killOnExit(spawn(driverPath!, [`--port=${port}`], { cwd: home, env, stdio: 'ignore' }))
  closing.defer(() => endProcess(driver, 'SIGTERM'))
  const browser = { binary: browserPath, args: ['--automation'] }
  const send = await startSession(`http://127.0.0.1:${port}`, { 'webkitgtk:browserOptions': browser })
  closing.defer(() => send('DELETE', ''))
  return {
    page: openPage(send),
    // It saves files in the home folder.
    download: action => readSavedFile(home, action),
  }
}
