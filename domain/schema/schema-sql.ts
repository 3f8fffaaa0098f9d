import type { MikroORM } from '@mikro-orm/postgresql'
import {
  partitionedTables,
  verificationChangeType,
  verificationPartitionFunctions,
} from './migrations/verification-partitions.ts'

/** The SQL that creates the current schema: what MikroORM generates from the entities, and what it can't express. */
export async function schemaSql(orm: MikroORM): Promise<string> {
  const generated = await orm.schema.getCreateSchemaSQL({ wrap: false })
  const partitioned = generated
    .replace(/^create type "verification_status" .*;$/m, type =>
      [type, ...verificationChangeType.map(sql => `${sql};`)].join('\n'),
    )
    .replace(
      /^(create table "(verification(?:_outcome)?)" .*);$/gm,
      (_, table, name) =>
        `${table} partition by range ("${partitionedTables[name as keyof typeof partitionedTables]}");`,
    )
  return `${partitioned}\n${verificationPartitionFunctions.join(';\n\n')};\n`
}
