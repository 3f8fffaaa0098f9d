import { Accordion, Group, Skeleton, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useState } from 'react'
import { CreateKeyForm } from '../api-keys/create-key-form.tsx'
import { KeyDialog } from '../api-keys/key-dialog.tsx'
import { Badge } from '../components/badge.tsx'
import { Page } from '../components/page.tsx'
import { QueryState } from '../components/query-state.tsx'
import { useSession } from '../session/session-context.ts'
import { CreateTenant } from './create-tenant.tsx'
import {
  nextStep,
  type Onboarding,
  type StepName,
  stepNames,
  stepsDone,
  stepTitles,
  usePolledOnboarding,
} from './onboarding.ts'
import { stepContents } from './step-contents.tsx'

export function FirstStepsPage() {
  const { membership } = useSession()
  return (
    <Page title="Get started" description="From an API key to the first result in your backend.">
      {membership ? <TenantSteps key={membership.tenantId} /> : <CreateTenant />}
    </Page>
  )
}

/** The steps of a tenant. What is done is what has happened, whoever did it. */
function TenantSteps() {
  return (
    <QueryState query={usePolledOnboarding()} loading={stepNames.map(name => <Skeleton key={name} height={54} />)}>
      {onboarding => <Steps onboarding={onboarding} />}
    </QueryState>
  )
}

function Steps({ onboarding }: { onboarding: Onboarding }) {
  const done = stepsDone(onboarding)
  const next = nextStep(onboarding)
  const [known, setKnown] = useState(next)
  const [open, setOpen] = useState(stepsToOpen(next))
  const [createdKey, setCreatedKey] = useState<string>()
  const [creatingKey, { open: createKey, close: closeKey }] = useDisclosure()
  if (known !== next) {
    setKnown(next)
    setOpen(stepsToOpen(next))
  }
  return (
    <>
      <Text c="dimmed" role="status">
        {Object.values(done).filter(isDone => isDone).length} of {Object.keys(done).length} steps done.{' '}
        {next && 'This page follows your requests.'}
      </Text>
      <Accordion multiple variant="separated" order={2} value={open} onChange={setOpen}>
        {stepNames.map(name => {
          const number = Object.keys(done).indexOf(name) + 1
          // The others end when the service notices a request or a result.
          const isWaiting =
            done[name] === false && (name === 'webhook' ? onboarding.webhookUrlSet : name === next && name !== 'key')
          const isFailing = name === 'webhook' && onboarding.webhookFailure !== null
          const Content = stepContents[name]
          return (
            <Accordion.Item key={name} value={name}>
              <Accordion.Control>
                <Group gap="xs" wrap="nowrap">
                  <Text span inherit c="dimmed">
                    {number || '–'}
                  </Text>
                  {stepTitles[name]}
                  {done[name] && <Badge tone="approved">Done</Badge>}
                  {isWaiting && (
                    <Badge tone={isFailing ? 'attention' : 'waiting'}>{isFailing ? 'Failing' : 'Waiting'}</Badge>
                  )}
                </Group>
              </Accordion.Control>
              <Accordion.Panel>
                <Content {...onboarding} createdKey={createdKey} onCreateKey={createKey} />
              </Accordion.Panel>
            </Accordion.Item>
          )
        })}
      </Accordion>
      {/* Outside of its step, which is done, and folds, while the key is still shown. */}
      <KeyDialog opened={creatingKey} onClose={closeKey} title="Create API key">
        {onCreated => (
          <CreateKeyForm
            name="First key"
            onCreated={apiKey => {
              onCreated(apiKey)
              setCreatedKey(apiKey)
            }}
            onCancel={closeKey}
          />
        )}
      </KeyDialog>
    </>
  )
}

/** With a result there is something to read. */
function stepsToOpen(next: StepName | undefined): string[] {
  if (!next) return []
  return next === 'webhook' ? ['result', next] : [next]
}
