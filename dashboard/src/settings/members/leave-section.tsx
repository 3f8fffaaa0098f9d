import { useNavigate } from 'react-router'
import { ActionButton } from '../../components/action-button.tsx'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'
import { Section } from '../../components/page.tsx'
import { useMembership, useSession } from '../../session/session-context.ts'
import { disabledTenantReason } from '../../session/use-disabled-reason.ts'
import { useConfirmedMutation } from '../../trpc/mutations.ts'
import { useTrpc } from '../../trpc/trpc.ts'

export function LeaveSection() {
  const { tenantName, enabled } = useMembership()
  const { refresh } = useSession()
  const navigate = useNavigate()
  const leave = useConfirmedMutation({
    mutation: useTrpc().members.leave.mutationOptions(),
    variables: () => undefined,
    successMessage: () => `You left ${tenantName}.`,
    onSuccess: async () => {
      await refresh()
      await navigate('/', { replace: true })
    },
  })
  return (
    <Section
      title="Leave this tenant"
      description="You lose your access. To come back, you need a new invitation. The last owner can't leave."
    >
      <div>
        <ActionButton
          variant="default"
          disabledReason={enabled ? undefined : disabledTenantReason}
          onClick={() => leave.open()}
        >
          Leave tenant
        </ActionButton>
      </div>
      <ConfirmDialog title={`Leave ${tenantName}?`} confirmLabel="Leave tenant" {...leave.dialog}>
        You lose access to this tenant immediately. API keys that you created keep working.
      </ConfirmDialog>
    </Section>
  )
}
