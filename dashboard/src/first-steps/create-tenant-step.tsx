import { Text } from '@mantine/core'
import { useSession } from '../session/session-context.ts'
import { ProvisionForm } from './provision-form.tsx'
import { Step } from './step.tsx'

export function ProvisionTenant() {
  const { membership } = useSession()
  if (membership) {
    return (
      <Step title="Create your tenant" state="done">
        <Text size="sm" c="dimmed">
          You are {membership.role} of {membership.tenantName}.
        </Text>
      </Step>
    )
  }
  return (
    <Step title="Create your tenant" state="todo">
      <Text size="sm">
        A tenant holds your API keys, settings and verifications. You become its owner. If your team has one
        already, ask its owner to add you instead.
      </Text>
      <ProvisionForm />
    </Step>
  )
}
