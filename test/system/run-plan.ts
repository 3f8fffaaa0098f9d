import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { describeViolations } from '../chaos/report.ts'
import { type ChaosOptions, type ChaosResult, runChaos } from '../chaos/run-chaos.ts'
import { sharedResource } from '../harness/run/shared-resources.ts'

/** Runs the service through a plan of faults, and expects that no promise was broken. */
export async function runPlan(
  options: Partial<ChaosOptions> & Pick<ChaosOptions, 'plan'>,
): Promise<ChaosResult> {
  await sharedResource('built')
  const prepared = await sharedResource<string>('dataFolder')
  const folder = await mkdtemp(join(tmpdir(), 'age-verification-chaos-'))
  try {
    const result = await runChaos({
      seed: 1,
      folder,
      roles: ['all', 'all'],
      topology: 'address',
      clients: 4,
      quietMs: 800,
      endsLifetimes: false,
      prepared: {
        cluster: join(prepared, 'postgres'),
        password: await readFile(join(prepared, 'postgres-password'), 'utf8'),
      },
      print: process.env.CHAOS_LOG ? console.log : () => undefined,
      ...options,
    })
    expect(result.violations.length, describeViolations(result.violations)).to.equal(0)
    expect(result.completions).to.be.greaterThan(0)
    expect(result.attempts).to.be.greaterThan(0)
    return result
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
