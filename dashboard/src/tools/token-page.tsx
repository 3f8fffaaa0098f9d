import { Anchor, Text, Textarea, Title } from '@mantine/core'
import { useState } from 'react'
import { Link } from 'react-router'
import { Badge, type Tone } from '../components/badge.tsx'
import { DescriptionList } from '../components/description-list.tsx'
import { LocalAndUtcTime } from '../components/timestamp.tsx'
import { takeToken } from '../palette/pasted.ts'
import { useTenantPath } from '../session/tenant-path.ts'
import { type Outputs, useTrpc } from '../trpc/trpc.ts'
import { TokenClaims } from '../verifications/detail/token-claims.tsx'
import { monospaceInput, ToolsPage } from './tools-page.tsx'
import { useToolForm } from './use-tool-form.ts'

type Inspection = Outputs['tokens']['inspect']

const tokenLengthMax = 8_192

export function TokenPage() {
  const [handedOver] = useState(takeToken)
  const form = useToolForm({ token: handedOver }, useTrpc().tokens.inspect.mutationOptions({ gcTime: 0 }))
  return (
    <ToolsPage
      title="Token inspector"
      description="What POST /tokens/validate returns for an age token, and why."
      inputTitle="Token"
      form={form}
      submitLabel="Inspect token"
      inputs={
        <Textarea
          label="Age token"
          description="The whole JWT, which begins with eyJ."
          autosize
          minRows={4}
          maxRows={10}
          maxLength={tokenLengthMax}
          styles={monospaceInput}
          {...form.inputProps('token')}
        />
      }
      result={form.result && <Verdict inspection={form.result} />}
    />
  )
}

function Verdict({ inspection }: { inspection: Inspection }) {
  const { message, reason, verificationId, expiresAt, revokedAt, header, claims } = inspection
  const tenantPath = useTenantPath()
  const { tone, label } = verdictOf(inspection)
  const verification = verificationId && (
    <Anchor component={Link} to={tenantPath(`/verifications/${verificationId}`)} inherit>
      {verificationId}
    </Anchor>
  )
  return (
    <>
      <Text component="div" size="sm">
        <Badge tone={tone}>{label}</Badge> {message}
      </Text>
      <DescriptionList
        items={[
          { name: 'Reason code', value: <code>{reason ?? 'OK'}</code> },
          ...(verification ? [{ name: 'Verification', value: verification }] : []),
          ...(expiresAt ? [{ name: 'Expires', value: <LocalAndUtcTime at={expiresAt} /> }] : []),
          ...(revokedAt ? [{ name: 'Revoked', value: <LocalAndUtcTime at={revokedAt} /> }] : []),
          ...(header ? [{ name: 'Header', value: <code>{JSON.stringify(header)}</code> }] : []),
        ]}
      />
      {claims && (
        <>
          <Title order={3}>Claims</Title>
          {verificationId === null && (
            <Text size="sm" c="dimmed">
              This is what the text says. It was not issued to your tenant by this service: don't rely on it.
            </Text>
          )}
          <TokenClaims token={{ kid: String(header?.kid ?? 'none'), claims }} />
        </>
      )}
    </>
  )
}

/** The token of a minor is authentic, but never looks like a pass. */
function verdictOf({ valid, reason }: Inspection): { tone: Tone; label: string } {
  if (valid) return { tone: 'approved', label: '18+ confirmed' }
  return reason === 'UNDERAGE_OR_UNKNOWN'
    ? { tone: 'attention', label: 'Under 18 or unknown' }
    : { tone: 'denied', label: 'Not valid' }
}
