import { Button, Stack, Text } from '@mantine/core'
import type { ComponentType } from 'react'
import { Link } from 'react-router'
import { ActionButton, DisabledReasonNote } from '../components/action-button.tsx'
import { Timestamp } from '../components/timestamp.tsx'
import { DocsLink, TenantLink } from '../session/links.tsx'
import { useDisabledReason, useTenantPath } from '../session/session-context.ts'
import { statuses } from '../verifications/status.ts'
import type { Onboarding, StepName } from './onboarding.ts'
import { SampleTabs } from './sample-tabs.tsx'

interface Props extends Onboarding {
  /** Of the key that was created on this page. It can't be read again, and is gone when the page is left. */
  createdKey: string | undefined
  onCreateKey: () => void
}

export const stepContents: Record<StepName, ComponentType<Props>> = {
  key: KeyStep,
  start: StartStep,
  complete: CompleteStep,
  result: ResultStep,
  webhook: WebhookStep,
}

function KeyStep({ apiKey, createdKey, onCreateKey }: Props) {
  const disabledReason = useDisabledReason('keys')
  if (apiKey) {
    return (
      <Text>
        This tenant has an API key, created on <Timestamp at={apiKey.createdAt} />.{' '}
        {createdKey && 'The samples below contain it, until you leave this page. '}
        <TenantLink to="/api-keys">Manage API keys</TenantLink>
      </Text>
    )
  }
  return (
    <Stack align="flex-start">
      <Text>Your backend sends an API key with each request. It must never reach your users' browsers or apps.</Text>
      <ActionButton disabledReason={disabledReason} onClick={onCreateKey}>
        Create API key
      </ActionButton>
      <DisabledReasonNote reason={disabledReason} />
    </Stack>
  )
}

function StartStep({ createdKey }: Props) {
  return (
    <Stack>
      <Text>
        Your backend sends one request for each user, stores the <b>verificationId</b> and the <b>sessionUrl</b> with
        the user's account, and redirects the user to the <b>sessionUrl</b>. Encrypt that URL: whoever has it can
        complete the verification. It also leads back a user who cancelled, or who has to take new pictures.
      </Text>
      <SampleTabs call="start" apiKey={createdKey} />
    </Stack>
  )
}

function CompleteStep({ firstVerification, firstCompletedAt }: Props) {
  return (
    <Stack align="flex-start">
      {!firstCompletedAt && (
        <Text>
          Open the <b>sessionUrl</b> from the response in a browser, and do what your user would do there. The
          verification completes when the identity provider has decided.
        </Text>
      )}
      {firstVerification && (
        <Text component="div">
          Your first verification:{' '}
          <TenantLink to={`/verifications/${firstVerification.verificationId}`}>
            {firstVerification.verificationId}
          </TenantLink>{' '}
          ({statuses[firstVerification.status].label}
          {firstVerification.status === 'approved' && ': the identity is confirmed; the next step reads the age'})
        </Text>
      )}
    </Stack>
  )
}

function ResultStep({ firstVerification, createdKey }: Props) {
  return (
    <Stack>
      <Text>
        Approved does not mean 18 or over: the identity check passed, and minors pass it as well. Admit users on{' '}
        <b>over18</b>, never on the status.
      </Text>
      <SampleTabs
        call="status"
        apiKey={createdKey}
        environment={{
          VERIFICATION_ID: firstVerification?.status === 'approved' ? firstVerification.verificationId : '…',
        }}
      />
      <Text>
        The result of an approved verification has a <b>token</b>, which proves it for 30 days. Store it with the user's
        account, and validate it whenever the age matters: <b>valid</b> is true for users of 18 or over only.
      </Text>
      <SampleTabs call="validate" apiKey={createdKey} environment={{ TOKEN: 'eyJ…' }} />
    </Stack>
  )
}

function WebhookStep({ webhookUrlSet, webhookAcceptedAt }: Props) {
  const tenantPath = useTenantPath()
  const isWaiting = webhookUrlSet && !webhookAcceptedAt
  return (
    <Stack align="flex-start">
      <Text>
        {webhookUrlSet
          ? 'We send a POST request to your webhook URL when a verification completes.'
          : 'Set a webhook URL, and we send your backend a POST request when a verification completes. Until then it has to ask for the status.'}{' '}
        <DocsLink to="webhooks">How to receive webhooks</DocsLink>
      </Text>
      {webhookAcceptedAt && (
        <Text>
          Your receiver accepted an event on <Timestamp at={webhookAcceptedAt} />.
        </Text>
      )}
      {isWaiting && <Text>This step is done when your receiver has accepted an event: complete a verification.</Text>}
      <Button component={Link} to={tenantPath('/settings/webhook')} variant="default">
        {webhookUrlSet ? 'Webhook settings' : 'Set webhook URL'}
      </Button>
    </Stack>
  )
}
