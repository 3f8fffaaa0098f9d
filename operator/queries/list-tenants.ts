import { cutPage, type Page, type PageRequest, readPage } from '#domain/page.ts'
import type { OperatorScope } from '#domain/scope.ts'
import { Tenant } from '#domain/tenant/tenant.entity.ts'

/** All tenants with their plans, oldest first. */
export async function listTenants(scope: OperatorScope): Promise<Tenant[]> {
  return await scope.em.find(Tenant, {}, { orderBy: { id: 'asc' }, populate: ['plan'] })
}

/** One page of them. */
export async function listTenantPage(scope: OperatorScope, request: PageRequest): Promise<Page<Tenant>> {
  const { limit, cursor } = readPage(request)
  const found = await scope.em.find(Tenant, cursor ? { id: { $gt: cursor } } : {}, {
    orderBy: { id: 'asc' },
    populate: ['plan'],
    limit: limit + 1,
  })
  return cutPage(found, limit, tenant => tenant.id)
}
