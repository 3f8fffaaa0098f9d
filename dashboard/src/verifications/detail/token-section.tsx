import { Group, Stack, Text, Title } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { ActionButton, DisabledReasonNote } from '../../components/action-button.tsx'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'
import { CopyIconButton } from '../../components/copyable-text.tsx'
import { useConfirmedMutation } from '../../components/mutations.ts'
import { serviceTime } from '../../components/service-clock.ts'
import { Timestamp } from '../../components/timestamp.tsx'
import { useDisabledReason } from '../../session/session-context.ts'
import { type Outputs, useTrpc } from '../../trpc/trpc.ts'
import { verdictId } from './explanation.tsx'
import { TokenClaims } from './token-claims.tsx'

type Verification = Outputs['verifications']['get']
type Token = NonNullable<Verification['token']>

export function TokenSection({ verification }: { verification: Verification }) {
  const { verificationId, token, status } = verification
  return (
    <Stack component="section" aria-labelledby="token" gap="sm">
      <Title order={3} id="token">
        Token
      </Title>
      {token ? (
        <>
          <Lifetime token={token} />
          {token.jwt !== null && <Jwt jwt={token.jwt} />}
          <details>
            <Text component="summary">Claims</Text>
            <TokenClaims claims={{ kid: token.kid, ...token.claims }} />
          </details>
          <RevokeToken verificationId={verificationId} revokedAt={token.revokedAt} />
        </>
      ) : (
        <Text c="dimmed">
          {status === 'approved' ? 'The token is being issued.' : 'A token is issued when a verification is approved.'}
        </Text>
      )}
    </Stack>
  )
}

/** Its beginning, by which it is recognized; all of it is copied. */
function Jwt({ jwt }: { jwt: string }) {
  return (
    <Group gap="xs" wrap="nowrap">
      <Text translate="no" ff="monospace" fz="0.8125rem" lineClamp={1} style={{ wordBreak: 'break-all' }}>
        {jwt}
      </Text>
      <CopyIconButton value={jwt} label="token" />
    </Group>
  )
}

/** When it expires, and what validation returns then. Drawn anew for each state, as a translated page keeps its words. */
function Lifetime({ token: { issuedAt, expiresAt, revokedAt } }: { token: Token }) {
  const isExpired = Date.parse(expiresAt) <= serviceTime()
  return (
    <Text key={`${isExpired} ${revokedAt}`}>
      Issued on <Timestamp at={issuedAt} seconds />. {isExpired ? 'Expired' : 'Expires'} on{' '}
      <Timestamp at={expiresAt} seconds />.{' '}
      {revokedAt
        ? 'Validating it returns TOKEN_REVOKED, also after its expiry.'
        : 'From then on, validating it returns TOKEN_EXPIRED.'}
    </Text>
  )
}

function RevokeToken({ verificationId, revokedAt }: Pick<Token, 'revokedAt'> & { verificationId: string }) {
  const disabledReason = useDisabledReason('tokens')
  const trpc = useTrpc()
  const queryClient = useQueryClient()
  const revoke = useConfirmedMutation({
    mutation: trpc.tokens.revoke.mutationOptions(),
    variables: () => ({ verificationId }),
    successMessage: () => 'Token revoked.',
    onSuccess: async () => {
      await queryClient.invalidateQueries(trpc.verifications.pathFilter())
      // The button, to which the focus returned, is gone; the new verdict is above what is in view.
      document.getElementById(verdictId)?.focus()
    },
  })
  if (revokedAt) return null
  return (
    <div>
      <ActionButton
        disabledReason={disabledReason}
        variant="default"
        {...(disabledReason === undefined && { c: 'var(--denied-text)' })}
        onClick={() => revoke.open()}
      >
        Revoke token
      </ActionButton>
      <DisabledReasonNote reason={disabledReason} />
      <ConfirmDialog title="Revoke this token?" confirmLabel="Revoke token" {...revoke.dialog}>
        Validating it will return TOKEN_REVOKED. The verification stays approved, but its status will no longer say
        whether the user is 18 or over. This can't be undone: a new token requires a new verification.
      </ConfirmDialog>
    </div>
  )
}
