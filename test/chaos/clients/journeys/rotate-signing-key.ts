import type { Random } from '../../random.ts'
import type { Run } from '../../run.ts'
import { operate } from '../operate.ts'

/** An operator rotates the signing key. The tokens that were issued before stay valid, and the same. */
export async function rotateSigningKey(run: Run, _: Random): Promise<void> {
  // A command that fails, maybe after its commit, changes nothing that a client could see.
  await operate(run, 'signing-key', 'rotate').catch(() => undefined)
}
