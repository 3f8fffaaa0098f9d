import type { VerificationStatus } from '../verification-status.ts'
import { completedStatuses } from './verification.policy.ts'

/** What completions, the rows of `changed`, add to the columns of `usage_day`. */
export const completionCounts: Record<string, string> = {
  ...Object.fromEntries(completedStatuses.map(status => [status, countWhere(`status = '${status}'`)])),
  opened: countWhere('was_opened'),
  user_submitted: countWhere('user_submitted'),
  over18: countWhere('over18'),
  under18: countWhere('not over18'),
  adults_by_date: countWhere("over18 and age_basis = 'date'"),
  adults_by_year: countWhere("over18 and age_basis = 'year'"),
  adults_by_estimate: countWhere("over18 and age_basis = 'estimate'"),
}

function countWhere(condition: string): string {
  return `count(*) filter (where ${condition})`
}

const revokers = ['tenant', 'operator', 'provider', 'signing_key', 'erasure'] as const
/** Who can revoke a token. An erasure does, as does a deletion before the token's end. */
export type Revoker = (typeof revokers)[number]

const revocationCounts = Object.fromEntries(
  revokers.map(revoker => [`revoked_by_${revoker}`, countWhere(`revoked_by = '${revoker}'`)]),
)

/**
 * An `insert` that counts the tokens that are revoked first now, on the day of their approval. `revoked` is SQL for rows with
 * `tenant_id`, `completed_at`, `token_signer` and `revoked_by`. What a compromised key signed was revoked by its report before.
 */
export const countRevoked = (
  revoked: string,
) => `insert into usage_day as d (tenant_id, day, ${Object.keys(revocationCounts).join()})
     select tenant_id, (completed_at at time zone 'UTC')::date, ${Object.values(revocationCounts).join()}
     from (
       select r.tenant_id, r.completed_at, case when k.compromised_at is null then r.revoked_by else 'signing_key' end as revoked_by
       from ${revoked} r join token_signer s on s.id = r.token_signer left join signing_key k on k.kid = s.kid
     ) r group by 1, 2 order by 1, 2
     ${addCounts(revocationCounts)}`

/** The end of an `insert into usage_day as d` that adds these columns to the day's counts. */
export function addCounts(counts: Record<string, string>): string {
  const sums = Object.keys(counts).map(name => `${name} = d.${name} + excluded.${name}`)
  return `on conflict (tenant_id, day) do update set ${sums.join()}`
}

/** Whether the user of the completed `verification v` had submitted: the timeline tells, if it was rejected. */
export const userHadSubmitted = (status: 'w.status' | 'v.status') => `(${status} <> 'rejected'
       or exists (select from unnest(v.timeline) c where c.status in ('submitted', 'resubmission')))`

/** Whether the user of a verification that was completed had opened the hosted page. */
export function wasOpened(from: VerificationStatus, to: VerificationStatus): boolean {
  return from !== 'pending' || to !== 'rejected'
}
