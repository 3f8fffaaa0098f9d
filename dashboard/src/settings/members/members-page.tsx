import { useQuery } from '@tanstack/react-query'
import { useConsole } from '../../console/console.ts'
import { FactList } from '../../facts/fact-list.tsx'
import { ObstacleNote } from '../../feedback/obstacle-note.tsx'
import { RefusalAlert } from '../../feedback/refusal-alert.tsx'
import { Section } from '../../page/section.tsx'
import { useObstacle } from '../../session/rights.ts'
import { SettingsPage } from '../settings-page.tsx'
import { AddMemberForm } from './add-member-form.tsx'
import { MemberTable } from './member-table.tsx'
import { roleMeanings, roles } from './roles.ts'

export function MembersPage() {
  const { data, error, refetch } = useQuery(useConsole().members.list.queryOptions())
  const obstacle = useObstacle('members')
  return (
    <SettingsPage title="Members">
      <Section title="Members" description="Who may use this dashboard for this tenant.">
        <ObstacleNote obstacle={obstacle} />
        {error && !data ? (
          <RefusalAlert error={error} onRetry={refetch} />
        ) : (
          <MemberTable rows={data?.items} obstacle={obstacle} />
        )}
      </Section>
      <Section title="Add a member">
        <AddMemberForm obstacle={obstacle} />
      </Section>
      <Section title="What the roles may do">
        <FactList facts={roles.map(role => ({ name: role, value: roleMeanings[role] }))} />
      </Section>
    </SettingsPage>
  )
}
