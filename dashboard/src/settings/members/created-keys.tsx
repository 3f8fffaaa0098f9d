import { Text } from '@mantine/core'
import { useApiKeys } from '../../api-keys/api-key.ts'
import { TenantLink } from '../../session/links.tsx'
import type { User } from './roles.tsx'

interface Props {
  member: User
  /** Who they are in the sentence. */
  by: 'they' | 'you'
}

/** The live keys that somebody created, which go on working without them. */
export function CreatedKeys({ member: { subject, issuer }, by }: Props) {
  const { data: keys } = useApiKeys('live')
  const created = keys?.filter(({ createdBy }) => createdBy?.subject === subject && createdBy.issuer === issuer)
  const none = `No active API key was created by ${by === 'you' ? 'you' : 'them'}`
  const sentence = created?.length === 0 ? none : `API keys that ${by} created keep working`
  // Drawn anew with the keys, as a translated page keeps the words that it has.
  return (
    <Text key={created?.length} inherit mt="xs" component="div" mah="12rem" style={{ overflowY: 'auto' }}>
      {created?.length ? `${sentence}: ` : `${sentence}.`}
      {created?.map(({ apiKeyId, name, displayStart }, index) => (
        <span key={apiKeyId}>
          {index > 0 && ', '}
          <TenantLink to={`/api-keys?key=${apiKeyId}`}>{name}</TenantLink> ({displayStart}…)
        </span>
      ))}
    </Text>
  )
}
