import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { eventually } from '../../harness/eventually.ts'
import { isRunning, killOnExit, sendSignal } from '../../harness/processes/process-tree.ts'
import { root } from '../../harness/processes/service-process.ts'
import { findProgram, outcomeOf, type Requirement, runProgram } from '../../harness/system-program.ts'

const systemPath = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'

/** Whether a copy of this machine can be booted in a container. */
export const systemdContainer: Requirement = {
  isMissing: !findProgram('systemd-nspawn') || !findProgram('nsenter') || !canMount(),
  reason: 'no systemd-nspawn (apt-get install systemd-container), or not root, or no right to mount',
}

function canMount(): boolean {
  try {
    const overlay =
      'mount -t tmpfs tmpfs /mnt && mkdir /mnt/u /mnt/w /mnt/r && mount -t overlay overlay -o "$0" /mnt/r'
    const layers = 'lowerdir=/,upperdir=/mnt/u,workdir=/mnt/w'
    execFileSync('unshare', ['--mount', '/bin/sh', '-c', overlay, layers], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

export type BootedMachine = Awaited<ReturnType<typeof bootMachine>>

/**
 * Boots the installed system and this checkout in a container with the network of this machine. What it writes is lost at
 * its end, but for its journal. None of the machine's services run. `prepare` is a shell script that changes the copy,
 * whose folder is `$ROOT`, before it boots.
 */
export async function bootMachine(folder: string, prepare: string) {
  const journalFolder = join(folder, '../journal')
  await mkdir(journalFolder)
  const container = killOnExit(
    spawn('unshare', ['--mount', '/bin/sh', '-euc', `${makeCopy}\n${prepare}\n${boot}`], {
      env: {
        PATH: systemPath,
        MOUNT: folder,
        ROOT: join(folder, 'root'),
        CHECKOUT: root,
        JOURNAL: journalFolder,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    }),
  )
  let output = ''
  for (const stream of [container.stdout!, container.stderr!]) {
    stream.setEncoding('utf8').on('data', text => {
      output += text
    })
  }
  const ended = new Promise<number | null>(resolve => container.once('exit', resolve))
  const pid = await Promise.race([
    eventually(() => childOf(container), { until: found => found !== undefined, timeoutMs: 60_000 }),
    ended.then(() => Promise.reject(new Error(`The container ended: ${output}`))),
  ])
  const enter = [
    '--target',
    String(pid),
    '--all',
    'env',
    '-i',
    `PATH=${systemPath}`,
    'SYSTEMD_COLORS=0',
    'LC_ALL=C',
  ]
  return {
    /** Runs a program in the container; rejects if it fails. */
    async run(program: string, ...args: string[]): Promise<string> {
      return (await runProgram('nsenter', [...enter, program, ...args], { timeout: 30_000 })).stdout.trim()
    },
    /** A property of a unit. */
    async show(unit: string, property: string): Promise<string> {
      return await this.run('systemctl', 'show', '--property', property, '--value', unit)
    },
    /** What the boot has come to: `starting` until it ends, then `running` or `degraded`. */
    async state(): Promise<string> {
      const { stdout } = await outcomeOf('nsenter', [...enter, 'systemctl', 'is-system-running'])
      return stdout.trim()
    },
    /** Shuts it down, and resolves when it is off. */
    async powerOff(): Promise<number | null> {
      await this.run('systemctl', '--no-block', 'poweroff')
      return await Promise.race([ended, wait(60_000, null, { ref: false })])
    },
    /** Its messages, also after its end: what wrote each and what it says. */
    async journal(): Promise<string[]> {
      const { stdout } = await runProgram('journalctl', ['--directory', journalFolder, '--output', 'json'], {
        maxBuffer: 64 * 1024 * 1024,
      })
      return stdout
        .trim()
        .split('\n')
        .map(line => JSON.parse(line))
        .map(({ SYSLOG_IDENTIFIER, MESSAGE }) => `${SYSLOG_IDENTIFIER}: ${MESSAGE}`)
    },
    /** Ends all of its processes, with the first one. */
    async kill(): Promise<void> {
      if (isRunning(container)) sendSignal(pid!, 'SIGKILL')
      await ended
    },
  }
}

const makeCopy = `
mount -t tmpfs tmpfs "$MOUNT"
mkdir "$MOUNT/upper" "$MOUNT/work" "$ROOT"
mount -t overlay overlay -o "lowerdir=/,upperdir=$MOUNT/upper,workdir=$MOUNT/work" "$ROOT"
rm -rf "$ROOT"/etc/systemd/system/*.wants "$ROOT"/var/log/journal "$ROOT"/var/lib/systemd/timers
mkdir "$ROOT"/etc/systemd/system/multi-user.target.wants
rm -rf "$ROOT"/opt/age-verification-service
mkdir "$ROOT"/opt/age-verification-service`

const boot = `
exec systemd-nspawn --quiet --register=no --keep-unit --link-journal=no --console=read-only \
  --bind-ro="$CHECKOUT":/opt/age-verification-service --bind="$JOURNAL":/var/log/journal \
  --directory="$ROOT" --boot systemd.unit=multi-user.target </dev/null`

/** The first process of the container. */
function childOf({ pid }: ChildProcess): number | undefined {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ')
  const found = children.find(child => readFileSync(`/proc/${child}/comm`, 'utf8') === 'systemd\n')
  return found === undefined ? undefined : Number(found)
}
