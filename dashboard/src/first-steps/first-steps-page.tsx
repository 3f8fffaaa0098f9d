import { Accordion, Alert, Button, Group, Loader, Skeleton, Text, ThemeIcon } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useEffect, useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import { CreateKeyForm } from '../api-keys/create-key-form.tsx'
import { KeyDialog } from '../api-keys/key-dialog.tsx'
import { Badge } from '../components/badge.tsx'
import { Icon } from '../components/icon.tsx'
import { Page } from '../components/page.tsx'
import { QueryState } from '../components/query-state.tsx'
import { useSession, useTenantPath } from '../session/session-context.ts'
import { CreateTenant } from './create-tenant.tsx'
import {
  nextStep,
  type Onboarding,
  type StepName,
  stepNames,
  stepsDone,
  stepTitles,
  useFirstStepsHidden,
  usePolledOnboarding,
} from './onboarding.ts'
import { type Created, stepContents } from './step-contents.tsx'

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
    <QueryState
      query={usePolledOnboarding()}
      loading={stepNames.map(name => <Skeleton key={name} height={54} />)}
    >
      {onboarding => <Steps onboarding={onboarding} />}
    </QueryState>
  )
}

function Steps({ onboarding }: { onboarding: Onboarding }) {
  const done = stepsDone(onboarding)
  const next = nextStep(onboarding)
  const [open, setOpen] = useState<string[]>(next ? [next] : [])
  const [created, setCreated] = useState<Created>({})
  const [creatingKey, { open: createKey, close: closeKey }] = useDisclosure()
  const known = useRef(next)
  const add = (more: Created) => setCreated(earlier => ({ ...earlier, ...more }))
  useEffect(() => {
    if (known.current === next) return
    known.current = next
    setOpen(next ? [next] : [])
  }, [next])
  return (
    <>
      <Progress doneCount={Object.values(done).filter(isDone => isDone).length} />
      <Accordion multiple variant="separated" order={2} value={open} onChange={setOpen}>
        {stepNames.map((name, index) => {
          const state = readState(name, done, next, onboarding)
          const Content = stepContents[name]
          return (
            <Accordion.Item key={name} value={name}>
              <Accordion.Control icon={<Marker number={index + 1} state={state} />}>
                <Group gap="xs">
                  {stepTitles[name]}
                  {state !== 'todo' && (
                    <Badge tone={state === 'done' ? 'approved' : 'waiting'}>
                      {state === 'done' ? 'Done' : 'Waiting'}
                    </Badge>
                  )}
                </Group>
              </Accordion.Control>
              <Accordion.Panel>
                <Content {...onboarding} created={created} onCreated={add} onCreateKey={createKey} />
              </Accordion.Panel>
            </Accordion.Item>
          )
        })}
      </Accordion>
      <NewKeyDialog opened={creatingKey} onClose={closeKey} onCreated={add} />
    </>
  )
}

interface NewKeyProps {
  opened: boolean
  onClose: () => void
  onCreated: (created: Created) => void
}

/** Outside of its step, which is done, and folds, while the key is still shown. */
function NewKeyDialog({ opened, onClose, onCreated }: NewKeyProps) {
  return (
    <KeyDialog opened={opened} onClose={onClose} title="Create API key">
      {onKeyCreated => (
        <CreateKeyForm
          name="First key"
          onCreated={apiKey => {
            onKeyCreated(apiKey)
            onCreated({ apiKey })
          }}
          onCancel={onClose}
        />
      )}
    </KeyDialog>
  )
}

type StepState = 'todo' | 'waiting' | 'done'

function Marker({ number, state }: { number: number; state: StepState }) {
  return (
    <ThemeIcon radius="xl" variant="light" color={state === 'done' ? 'green' : 'gray'} aria-hidden>
      {state === 'done' ? (
        <Icon name="check" size={16} />
      ) : state === 'waiting' ? (
        <Loader size={14} />
      ) : (
        number
      )}
    </ThemeIcon>
  )
}

/** The steps that end when the service notices a request or a result. */
const awaited: readonly StepName[] = ['start', 'complete', 'status', 'validate']

function readState(
  name: StepName,
  done: Record<StepName, boolean>,
  next: StepName | undefined,
  { webhookUrlSet }: Onboarding,
): StepState {
  if (done[name]) return 'done'
  if (name === 'webhook') return webhookUrlSet ? 'waiting' : 'todo'
  return name === next && awaited.includes(name) ? 'waiting' : 'todo'
}

/** How far the tenant is, announced to screen readers, with a button that hides the page from the navigation. */
function Progress({ doneCount }: { doneCount: number }) {
  const [, setHidden] = useFirstStepsHidden()
  const navigate = useNavigate()
  const tenantPath = useTenantPath()
  const hide = () => {
    setHidden(true)
    navigate(tenantPath('/overview'))
  }
  if (doneCount === stepNames.length) {
    return (
      <Alert
        color="green"
        variant="light"
        role="status"
        icon={<Icon name="check" />}
        title="All steps are done"
        withCloseButton
        closeButtonLabel="Close the first steps"
        onClose={hide}
      >
        Your backend starts verifications, reads their results and validates tokens.
      </Alert>
    )
  }
  return (
    <Group justify="space-between" gap="xs">
      <Text size="sm" c="dimmed" role="status">
        {doneCount} of {stepNames.length} steps done. This page follows your requests.
      </Text>
      <Button variant="subtle" size="compact-sm" onClick={hide}>
        Hide these steps
      </Button>
    </Group>
  )
}
