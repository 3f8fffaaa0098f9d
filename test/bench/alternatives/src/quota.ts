import type { TenantModel } from '../generated/models.ts'
import { prisma } from './database.ts'

/** Uses one start of the month's quota; returns false if none is left. */
export async function takeQuota(tenant: TenantModel, month: string): Promise<boolean> {
  const limit = Math.min(tenant.monthlyQuota, tenant.hardLimit)
  const taken = () =>
    prisma.usage.updateMany({
      where: { tenantId: tenant.id, month, started: { lt: limit } },
      data: { started: { increment: 1 } },
    })
  if ((await taken()).count === 1) return true
  await prisma.usage.createMany({ data: { tenantId: tenant.id, month }, skipDuplicates: true })
  return (await taken()).count === 1
}

export async function returnQuota(tenant: TenantModel, month: string): Promise<void> {
  const where = { tenantId_month: { tenantId: tenant.id, month } }
  await prisma.usage.update({ where, data: { started: { decrement: 1 } } })
}
