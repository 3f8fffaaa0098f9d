import { findProgram } from '../../harness/system-program.ts'

export interface PackageManager {
  name: string
  /** Undefined where it isn't installed. */
  program: string | undefined
  /** Files that say where the scope's packages are, for the service at this URL. */
  settings(baseUrl: string): Record<string, string>
  /** Before the package. Releases of the test are younger than some like. */
  add: string[]
  /** Installs what the lock file names, or fails. */
  installLocked: string[]
  /** Runs a file; Node by default. */
  run?: string[]
}

/** The second line keeps the test from asking npm for the optional peer, which Deno does. */
const npmrc = (baseUrl: string) => ({
  '.npmrc': `@age-verification:registry=${baseUrl}/npm/\nregistry=${baseUrl}/npm/\n`,
})
const [npm, pnpm, yarn, berry, bun, deno] = ['npm', 'pnpm', 'yarn', 'yarn-berry', 'bun', 'deno'].map(
  findProgram,
)

/** Each has a lock file of its own. */
export const packageManagers: PackageManager[] = [
  {
    name: 'npm',
    program: npm,
    settings: npmrc,
    add: ['install', '--no-audit'],
    installLocked: ['ci', '--no-audit'],
  },
  {
    name: 'pnpm',
    program: pnpm,
    settings: npmrc,
    add: ['add', '--config.minimumReleaseAge=0'],
    installLocked: ['install', '--frozen-lockfile'],
  },
  {
    name: 'Yarn 1',
    program: yarn,
    settings: npmrc,
    add: ['add', '--non-interactive'],
    installLocked: ['install', '--non-interactive', '--frozen-lockfile'],
  },
  {
    name: 'Yarn 4',
    program: berry,
    settings: baseUrl => ({
      'yarn.lock': '',
      '.yarnrc.yml': `npmScopes:
  age-verification:
    npmRegistryServer: ${baseUrl}/npm
nodeLinker: node-modules
enableTelemetry: false
npmPreapprovedPackages: ['@age-verification/*']
unsafeHttpWhitelist: ['127.0.0.1']
`,
    }),
    add: ['add'],
    installLocked: ['install', '--immutable'],
  },
  {
    name: 'Bun',
    program: bun,
    settings: npmrc,
    add: ['add'],
    installLocked: ['install', '--frozen-lockfile'],
    run: [bun ?? ''],
  },
  {
    name: 'Deno',
    program: deno,
    settings: npmrc,
    add: ['add', '--minimum-dependency-age=0'],
    installLocked: ['install', '--frozen'],
    run: [deno ?? '', 'run', '--allow-all'],
  },
]
