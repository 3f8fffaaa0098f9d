import type { EnabledChange } from '../../model/ledger.ts'
import type { Random } from '../../random.ts'
import type { Run } from '../../run.ts'
import { useKey } from '../calls.ts'
import { operate } from '../operate.ts'
import { pause } from '../pause.ts'

/** An operator disables a tenant, and enables it again. Its key is used on every process after each change. */
export async function disableTenant(run: Run, random: Random): Promise<void> {
  const tenant = run.ledger.tenant('disabled at times')
  // One at a time: the state after concurrent changes would not be known.
  if (tenant.enabledChanges.some(({ doneAt }) => doneAt === undefined)) return
  for (const enabled of [false, true]) {
    const change: EnabledChange = { enabled, sentAt: run.timeline.now(), doneAt: undefined }
    tenant.enabledChanges.push(change)
    try {
      await operate(run, 'tenant', enabled ? 'enable' : 'disable', '--tenant', tenant.tenantId)
      change.doneAt = run.timeline.now()
    } catch {
      // The command failed, maybe after its commit. The tenant's state stays unknown.
      return
    }
    for (let count = 0; count < 2; count += 1) {
      await Promise.all(run.system.apis.map(process => useKey(run, process, tenant)))
      await pause(random, 50, 500)
    }
  }
}
