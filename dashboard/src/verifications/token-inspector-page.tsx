import { Alert, Button, Group, Textarea, Title } from '@mantine/core'
import { Fragment, useEffect, useEffectEvent, useState } from 'react'
import type { Tone } from '../components/badge.tsx'
import { CopyIconButton } from '../components/copyable-text.tsx'
import { DescriptionList } from '../components/description-list.tsx'
import { FieldForm } from '../components/form.tsx'
import { useFormMutation } from '../components/mutations.ts'
import { Page, Section } from '../components/page.tsx'
import { Timestamp } from '../components/timestamp.tsx'
import { TenantLink } from '../session/links.tsx'
import { type Outputs, useTrpc } from '../trpc/trpc.ts'
import { toneColors } from './detail/explanation.tsx'
import { TokenClaims } from './detail/token-claims.tsx'
import { findTokens, takeToken } from './handed-over-token.ts'

type Inspection = Outputs['tokens']['inspect']

const tokenLengthMax = 8_192

/** The token and what the service says about it are in the component's state only. A change drops the result. */
export function TokenInspectorPage() {
  const [token, setToken] = useState(takeToken)
  const inspect = useFormMutation({
    mutation: useTrpc().tokens.inspect.mutationOptions({ gcTime: 0 }),
    fields: ['token'],
  })
  const [problem, setProblem] = useState<string>()
  const show = (text: string) => {
    setToken(text)
    setProblem(undefined)
    inspect.reset()
  }
  const submit = (text = token) => {
    const [found = text, ...others] = findTokens(text)
    show(others.length > 0 ? text : found)
    if (text.trim() === '') setProblem('Paste an age token.')
    else if (others.length > 0) setProblem(`This has ${others.length + 1} tokens. Paste one.`)
    else inspect.mutate({ token: found })
  }
  const submitPassedOn = useEffectEvent(() => token !== '' && submit())
  useEffect(() => void submitPassedOn(), [])
  return (
    <Page title="Token inspector" description="What POST /tokens/validate returns for an age token, and why.">
      <Section title="Age token" description="What you paste is inspected at once, and neither stored nor logged.">
        <FieldForm
          onSubmit={() => submit()}
          error={inspect.formError}
          maxWidth="100%"
          buttons={
            <Button type="submit" loading={inspect.isPending}>
              Inspect
            </Button>
          }
        >
          <Textarea
            aria-label="Age token"
            placeholder="The whole JWT, which begins with eyJ"
            autosize
            minRows={4}
            maxRows={10}
            maxLength={tokenLengthMax}
            spellCheck={false}
            styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
            value={token}
            error={problem ?? inspect.fieldErrors.token}
            onChange={({ currentTarget: { value }, nativeEvent }) => {
              const isPasted = 'inputType' in nativeEvent && nativeEvent.inputType === 'insertFromPaste'
              return isPasted ? submit(value) : show(value)
            }}
            onKeyDown={({ key, ctrlKey, metaKey }) => key === 'Enter' && (ctrlKey || metaKey) && submit()}
          />
        </FieldForm>
      </Section>
      {inspect.data && (
        <Section title="Result">
          <Result inspection={inspect.data} />
        </Section>
      )}
    </Page>
  )
}

function Result({ inspection }: { inspection: Inspection }) {
  const { message, reason, verificationId, expiresAt, revokedAt, header, claims } = inspection
  const { tone, label } = verdictOf(inspection)
  const path = `/verifications/${verificationId}`
  const items = [
    { name: 'Reason code', value: <code>{reason ?? 'OK'}</code> },
    { name: 'Verification', value: verificationId && <TenantLink to={path}>{verificationId}</TenantLink> },
    { name: 'Expires', value: expiresAt && <Timestamp at={expiresAt} seconds /> },
    { name: 'Revoked', value: revokedAt && <Timestamp at={revokedAt} seconds /> },
  ]
  return (
    <>
      <Alert color={toneColors[tone]} role="note" ref={showOnMount} tabIndex={-1} style={{ scrollMarginTop: '7rem' }}>
        <Title order={3} size="h1" mb="0.25rem">
          {label}
        </Title>
        {message}
      </Alert>
      <DescriptionList items={items.filter(({ value }) => value !== null)} />
      {Object.entries({ Claims: claims, Header: header }).map(
        ([title, part]) =>
          part && (
            <Fragment key={title}>
              <Group gap="0.25rem">
                <Title order={3}>{verificationId === null ? `${title}, unverified` : title}</Title>
                <CopyIconButton value={JSON.stringify(part, null, 2)} label={`${title.toLowerCase()} as JSON`} />
              </Group>
              <TokenClaims claims={part} />
            </Fragment>
          ),
      )}
    </>
  )
}

/** A `ref` that moves the focus to the verdict, and scrolls it to the top, below the page's header and the card's title. */
function showOnMount(verdict: HTMLElement | null): void {
  verdict?.focus({ preventScroll: true })
  verdict?.scrollIntoView()
}

/** The token of a minor is authentic, but never looks like a pass. */
function verdictOf({ valid, reason }: Inspection): { tone: Tone; label: string } {
  if (valid) return { tone: 'approved', label: '18+ confirmed' }
  if (reason === 'UNDERAGE_OR_UNKNOWN') return { tone: 'attention', label: 'Under 18 or unknown' }
  const labels: Partial<Record<string, string>> = { TOKEN_EXPIRED: 'Expired', TOKEN_REVOKED: 'Revoked' }
  return { tone: 'denied', label: labels[reason ?? ''] ?? 'Not valid' }
}
