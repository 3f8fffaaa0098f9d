import { openOperatorScope } from '#operator/open-scope.ts'
import type { ServiceProcess } from '#test/harness/processes/service-process.ts'

/** Makes a user of the local sign-in provider, who is a member of some tenant, the owner of further tenants. */
export async function addTenants({ env }: ServiceProcess, subject: string, names: string[]): Promise<void> {
  const { scope, close } = await openOperatorScope(env)
  try {
    await scope.em.execute(
      `with added as (
         insert into tenant (id, name, plan_name, subscription, created_at)
         select gen_random_uuid(), name, 'default', 'active', now() from json_array_elements_text(?) name
         returning id
       )
       insert into member (tenant_id, issuer, subject, id, role, added_at)
       select added.id, issuer, subject, uuidv7(), 'owner', now()
       from added, (select distinct issuer, subject from member where subject = ?) users`,
      [JSON.stringify(names), subject],
    )
  } finally {
    await close()
  }
}
