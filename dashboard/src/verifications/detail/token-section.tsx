import { Group, Text, Title } from '@mantine/core'
import { Badge } from '../../badge/badge.tsx'
import type { Outputs } from '../../console/console.ts'
import { CopyBox } from '../../copy/copy-box.tsx'
import { RevokeToken } from './revoke-token.tsx'
import { TokenClaims } from './token-claims.tsx'
import classes from './token-section.module.css'

type Verification = Outputs['verifications']['get']

export function TokenSection({ verification }: { verification: Verification }) {
  const { verificationId, token, status } = verification
  return (
    <section aria-labelledby="token" className={classes.section}>
      <Group justify="space-between">
        <Title order={3} id="token">
          Token
        </Title>
        {token && <TokenState token={token} />}
      </Group>
      {token ? (
        <>
          <div className={classes.jwt}>
            <CopyBox value={token.jwt} label="token" />
          </div>
          <TokenClaims jwt={token.jwt} />
          <RevokeToken verificationId={verificationId} revokedAt={token.revokedAt} />
        </>
      ) : (
        <Text size="sm" c="dimmed">
          {status === 'approved' ? 'It is on its way.' : 'A token is issued when a verification is approved.'}
        </Text>
      )}
    </section>
  )
}

function TokenState({
  token: { revokedAt, expiresAt, over18 },
}: {
  token: NonNullable<Verification['token']>
}) {
  if (revokedAt) return <Badge tone="denied">Revoked</Badge>
  if (Date.parse(expiresAt) <= Date.now()) return <Badge tone="neutral">Expired</Badge>
  if (!over18) return <Badge tone="attention">18 or over not confirmed</Badge>
  return <Badge tone="approved">Valid, 18 or over</Badge>
}
