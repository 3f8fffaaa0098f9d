import { stopTestPostgres } from './postgres.ts'

/** Parts that test files share are started by the first that needs them, and stopped here. */
export async function mochaGlobalTeardown(): Promise<void> {
  await stopTestPostgres()
}
