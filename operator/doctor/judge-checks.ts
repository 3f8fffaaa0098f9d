import type { Check, Examined } from './check.ts'

/** Node's errors of a name that has no address, and of a DNS that doesn't answer. */
const unresolved = /\b(ENOTFOUND|EAI_AGAIN)\b/

/** The checks with one line in place of several of one cause. `busy`: why what was late says nothing of others. */
export function judgeChecks(examined: readonly Examined[], busy: string | undefined): Check[] {
  const withoutName = examined.filter(({ ok, message }) => !ok && unresolved.test(message))
  const one = withoutName.length > 1 ? withoutName : []
  const checks = examined
    .filter(check => !one.includes(check))
    .map(({ isLate, ...check }) =>
      isLate && busy ? { ...check, message: `no answer in time; ${busy}` } : check,
    )
  if (one.length === 0) return checks
  const names = one.map(({ name }) => name).join(', ')
  return [
    ...checks,
    {
      name: 'dns',
      ok: false,
      message: `the names that these need have no address: ${names}. Check the DNS of this machine (/etc/resolv.conf)`,
    },
  ]
}
