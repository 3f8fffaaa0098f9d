import { join } from 'node:path'
import { type ServerChild, startServer } from './children/start-server.ts'
import type { Fixture } from './fixture/open-fixture.ts'
import type { BenchOptions } from './options.ts'
import type { Scenario } from './scenario.ts'

/** A program that serves the requests of a scenario, with the database that has their data. */
export interface Target {
  /** The name in tables. */
  name: string
  fixture: Fixture
  start(): Promise<ServerChild>
}

/** The service, the floor, and `baseline` if another checkout is compared. */
export function targetsOf(fixture: Fixture, scenario: Scenario, options: BenchOptions): Target[] {
  const { compare, profile } = options
  const flags = profile ? ['--cpu-prof', `--cpu-prof-dir=${join(profile, scenario.name)}`] : []
  return [
    { name: 'service', fixture, start: () => startService(fixture, { flags }) },
    ...(compare
      ? [{ name: 'baseline', fixture, start: () => startService(fixture, { checkout: compare }) }]
      : []),
    { name: 'floor', fixture, start: () => startFloor(fixture, scenario) },
  ]
}

interface ServiceOptions {
  /** Another checkout of the project. */
  checkout?: string
  /** Command line options of Node. */
  flags?: string[]
  /** Additional environment variables. */
  env?: Record<string, string>
}

export function startService(fixture: Fixture, options: ServiceOptions = {}): Promise<ServerChild> {
  const { checkout = join(import.meta.dirname, '../..'), flags = [] } = options
  const { folder } = fixture
  const env = { ...fixture.env, ...options.env }
  return startServer({
    program: join(checkout, 'server/main.ts'),
    env,
    folder,
    flags,
    healthPath: '/health/live',
  })
}

export function startFloor(fixture: Fixture, { name }: Scenario): Promise<ServerChild> {
  const { env, folder } = fixture
  const program = join(import.meta.dirname, 'floor/main.ts')
  return startServer({ program, arguments: [name], env, folder })
}
