import { Button, Group, Skeleton, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useLocation, useNavigate } from 'react-router'
import { toConsoleError } from '../../components/console-error.ts'
import { DescriptionList } from '../../components/description-list.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { ErrorAlert } from '../../components/error-alert.tsx'
import { useNotifyingMutation } from '../../components/mutations.ts'
import { Page, Section } from '../../components/page.tsx'
import { Timestamp } from '../../components/timestamp.tsx'
import { tenantPath, useSession } from '../../session/session-context.ts'
import { useSignIn } from '../../sign-in/sign-in-context.ts'
import { type Outputs, useTrpc, useTrpcClient } from '../../trpc/trpc.ts'
import { roleDescriptions, roleLabels } from './roles.tsx'

/** Opened by the link of an invitation, whose fragment is the code. */
export function InvitationPage() {
  const { hash, state } = useLocation()
  const code = hash.slice(1)
  return (
    <Page title="Invitation">
      {state?.joining ? (
        <Skeleton height={260} />
      ) : code === '' ? (
        <UnusableLink reason="The link is incomplete. Copy all of it, or ask for a new one." />
      ) : (
        <Invitation key={code} code={code} />
      )}
    </Page>
  )
}

function Invitation({ code }: { code: string }) {
  const { session } = useTrpcClient()
  const { data, error, refetch } = useQuery({
    queryKey: ['invitation', code],
    // Sent as a mutation, so that the code is not in a URL.
    queryFn: () => session.invitation.mutate({ code }),
    refetchOnWindowFocus: false,
  })
  if (data) return <OpenInvitation code={code} invitation={data} />
  if (!error) return <Skeleton height={260} />
  const { code: errorCode, message } = toConsoleError(error)
  if (errorCode === 'NOT_PROVISIONED') return <UnusableLink reason={message} />
  return <ErrorAlert error={error} onRetry={refetch} />
}

function UnusableLink({ reason }: { reason: string }) {
  return (
    <EmptyState icon="link-off" title="This invitation can't be accepted" description={reason}>
      <Button component={Link} to="/" variant="default">
        Go to the dashboard
      </Button>
    </EmptyState>
  )
}

function OpenInvitation({ code, invitation }: { code: string; invitation: Outputs['session']['invitation'] }) {
  const { tenantName, role, inviter, inviterName, expiresAt } = invitation
  const { name } = useSignIn()
  const { refresh } = useSession()
  const navigate = useNavigate()
  const accept = useNotifyingMutation({
    mutation: useTrpc().session.acceptInvitation.mutationOptions(),
    successMessage: () => `You joined ${tenantName}.`,
    onSuccess: async ({ tenantId }) => {
      // Leaves the spent code first: another tenant's pages are loaded anew, and would look it up again.
      await navigate('/invitations', { replace: true, state: { joining: true }, flushSync: true })
      await refresh()
      await navigate(tenantPath(tenantId, '/overview'), { replace: true })
    },
  })
  return (
    <Section title={`Join ${tenantName}?`} description={`You are signed in as ${name}.`}>
      <DescriptionList
        items={[
          { name: 'Tenant', value: tenantName },
          { name: 'Your role', value: `${roleLabels[role]}. ${roleDescriptions[role]}` },
          { name: 'Invited by', value: inviterName ?? inviter },
          { name: 'Expires', value: <Timestamp at={expiresAt} seconds /> },
        ]}
      />
      <Text c="dimmed">
        Accept only if you know who invited you. API keys and settings that you create there belong to this tenant. You
        can leave it at any time.
      </Text>
      {accept.error && <ErrorAlert error={accept.error} />}
      <Group>
        <Button loading={accept.isPending} onClick={() => accept.mutate({ code })}>
          Accept invitation
        </Button>
        <Button component={Link} to="/" replace variant="default">
          Decline
        </Button>
      </Group>
    </Section>
  )
}
