import { arrayOf, boolean, int, timestamp, uuid } from '../database/sql-types.ts'
import { statement } from '../database/statement.ts'

const dueLimits = { now: timestamp, perTenant: int, perUnresponsiveTenant: int, unresponsive: int }

/**
 * Tenants with new deliveries, at most `limit`, and whether another tenant has a due delivery. It skips from tenant to
 * tenant over the index, beginning at `start`, a random one, so that concurrent claims begin at different tenants. A
 * tenant with its first deliveries gets its queue here, in the order in which other claims do the same. `order by`
 * makes the planner use the index, whatever the statistics say about the rows that are due.
 */
export const findWork = statement({
  name: 'find-deliveries',
  text: `with recursive after as (
     (select tenant_id from delivery where state = 'new' and tenant_id >= :start order by tenant_id limit 1)
     union all
     select (
       select d.tenant_id from delivery d where d.state = 'new' and d.tenant_id > a.tenant_id
       order by d.tenant_id limit 1
     ) from after a where a.tenant_id is not null
   ), before as (
     (select tenant_id from delivery where state = 'new' and tenant_id < :start order by tenant_id limit 1)
     union all
     select (
       select d.tenant_id from delivery d where d.state = 'new' and d.tenant_id > b.tenant_id and d.tenant_id < :start
       order by d.tenant_id limit 1
     ) from before b where b.tenant_id is not null
   ), tenants as materialized (
     select tenant_id from (select tenant_id from after union all select tenant_id from before) found
     where tenant_id is not null limit :limit
   ), added as (
     insert into delivery_queue (tenant_id)
     select tenant_id from tenants n
     where not exists (select from delivery_queue q where q.tenant_id = n.tenant_id)
     order by tenant_id on conflict do nothing
   )
   select array(select tenant_id from tenants) as "newTenantIds", exists (
     select from generate_series(0, :perTenant - 1) as n cross join lateral (
       select from delivery_queue where not is_unresponsive and in_flight = n and due_at <= :now
       order by due_at limit 1
     ) responsive
   ) or exists (
     select from generate_series(0, case when :unresponsive > 0 then :perUnresponsiveTenant else 0 end - 1) as n
     cross join lateral (
       select from delivery_queue where is_unresponsive and in_flight = n and due_at <= :now
       order by due_at limit 1
     ) unresponsive
   ) as "isDue"`,
  values: { start: uuid, limit: int, ...dueLimits },
  row: { newTenantIds: arrayOf(uuid), isDue: boolean },
})

/**
 * Locks the queues of the tenants with new deliveries, and of those with due ones that have the fewest in flight;
 * what other claims have locked is left to them. It reads no more rows than it locks, whatever number of tenants waits.
 */
export const lockQueues = statement({
  name: 'lock-delivery-queues',
  text: `with arrived as (
     select tenant_id, in_flight, is_unresponsive from delivery_queue where tenant_id = any(:newTenantIds)
     for update skip locked
   ), responsive as (
     select q.* from generate_series(0, :perTenant - 1) as n cross join lateral (
       select tenant_id, in_flight, is_unresponsive from delivery_queue
       where not is_unresponsive and in_flight = n and due_at <= :now
       order by due_at limit :free for update skip locked
     ) q limit :free
   ), unresponsive as (
     select q.* from generate_series(0, :perUnresponsiveTenant - 1) as n cross join lateral (
       select tenant_id, in_flight, is_unresponsive from delivery_queue
       where is_unresponsive and in_flight = n and due_at <= :now
       order by due_at limit :free for update skip locked
     ) q limit least(:free, :unresponsive)
   )
   select tenant_id as "tenantId", in_flight as "inFlight", is_unresponsive as "isUnresponsive" from arrived
   union select * from responsive
   union select * from unresponsive`,
  values: { newTenantIds: arrayOf(uuid), free: int, ...dueLimits },
  row: { tenantId: uuid, inFlight: int, isUnresponsive: boolean },
})
