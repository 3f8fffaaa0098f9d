import { databaseName, type System } from '../system.ts'

/** What the tables contain, in the terms of the checks: the only statements that depend on their layout. */
export interface StoredRows {
  verifications: { tenantId: string; verificationId: string; userAgent: string | null; completed: boolean }[]
  /** Starts that have used quota and are not confirmed. */
  reservations: number
  /** Starts counted per tenant. */
  used: Map<string, number>
  deliveries: { verificationId: string; state: string; attempts: number }[]
}

export async function readStoredRows({ database }: System): Promise<StoredRows> {
  const session = await database.primary.connect(databaseName)
  try {
    const verifications = await session.query(
      `select v.tenant_id as "tenantId", v.id as "verificationId", d.user_agent as "userAgent",
         v.completed_at is not null as completed
       from verification v left join request_data d on d.verification_id = v.id`,
    )
    const reservations = await session.query('select count(*)::int as count from start_reservation')
    const used = await session.query(
      'select tenant_id as "tenantId", sum(used)::int as used from usage_month group by tenant_id',
    )
    const deliveries = await session.query(
      'select verification_id as "verificationId", state, attempts from delivery',
    )
    return {
      verifications: verifications.rows,
      reservations: reservations.rows[0].count,
      used: new Map(used.rows.map(({ tenantId, used }) => [tenantId, used])),
      deliveries: deliveries.rows,
    }
  } finally {
    await session.end()
  }
}
