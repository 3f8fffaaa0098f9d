import { Alert, Stack, Text, TextInput, Title } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { ActionButton, DisabledReasonNote } from '../../components/action-button.tsx'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'
import { DescriptionList } from '../../components/description-list.tsx'
import { useConfirmedMutation } from '../../components/mutations.ts'
import { focusOnMount } from '../../components/page.tsx'
import { SecretDialog } from '../../components/secret-dialog.tsx'
import { Timestamp } from '../../components/timestamp.tsx'
import { ReceiptButton, sessionStates } from '../../exports/receipt-button.tsx'
import { DocsLink, TenantLink } from '../../session/links.tsx'
import { useDisabledReason, useMembership } from '../../session/session-context.ts'
import { type Outputs, useTrpc } from '../../trpc/trpc.ts'

export type Erasure = Outputs['verifications']['erase']

/** What is erased where, and what stays. */
const here = 'Status, score and timeline; whether the user is 18 or over; the token; an event that is still to be sent.'
const session = 'The session, with what it has of the person and the document.'
const pace = 'It deletes ten a day, of all tenants of this service together, so it can have to wait for its turn.'
const stays =
  "Counts of usage, which name nobody; the entry in the tenant's audit log; until the token expires, the mark that revokes it offline; backups, until they are overwritten; what the tenant itself has stored."

const tailLength = 8
const nothingTyped = { text: '', error: '' }

interface Props {
  verification: Outputs['verifications']['get']
  onErased: (erasure: Erasure) => unknown
}

/** Erases what is stored of the user, once an owner has typed the end of the ID. */
export function EraseVerification({ verification: { verificationId, completedAt }, onErased }: Props) {
  const { test } = useMembership()
  const disabledReason = useDisabledReason('tenant')
  const [typed, setTyped] = useState(nothingTyped)
  const tail = verificationId.slice(-tailLength)
  const { verifications } = useTrpc()
  const queryClient = useQueryClient()
  const { open, dialog } = useConfirmedMutation({
    mutation: verifications.erase.mutationOptions(),
    variables: () => ({ verificationId }),
    onSuccess: erasure => {
      onErased(erasure)
      queryClient.removeQueries(verifications.get.queryFilter({ verificationId }))
      return queryClient.invalidateQueries(verifications.list.pathFilter())
    },
  })
  const confirm = () => {
    if (typed.text.trim().toLowerCase() === tail) dialog.onConfirm()
    else setTyped({ ...typed, error: `Type ${tail}.` })
  }
  const items = [
    { name: 'Here', value: here },
    { name: 'Identity provider', value: test ? session : `${session} ${pace}` },
    { name: 'Stays', value: stays },
  ]
  return (
    <Stack component="section" aria-labelledby="erasure" gap="xs" align="flex-start">
      <Title order={3} id="erasure">
        Erasure
      </Title>
      <Text c="dimmed">
        An owner can erase what is stored of this person, here and at the identity provider.{' '}
        <DocsLink to="privacy">Access and erasure</DocsLink>
      </Text>
      <ActionButton
        disabledReason={disabledReason}
        variant="default"
        {...(disabledReason === undefined && { c: 'var(--denied-text)' })}
        onClick={() => {
          setTyped(nothingTyped)
          open()
        }}
      >
        Erase verification
      </ActionButton>
      <DisabledReasonNote reason={disabledReason} />
      <ConfirmDialog title="Erase this verification?" confirmLabel="Erase" {...dialog} onConfirm={confirm}>
        <Stack gap="sm">
          <DescriptionList items={items} />
          {completedAt === null && <Text>It is not completed, and ends now, without an event.</Text>}
          <TextInput
            label={`To confirm, type the last ${tailLength} characters of its ID: ${tail}`}
            description="This can't be undone."
            data-autofocus
            onKeyDown={({ key }) => key === 'Enter' && !dialog.pending && confirm()}
            value={typed.text}
            error={typed.error}
            onChange={event => setTyped({ text: event.currentTarget.value, error: '' })}
          />
        </Stack>
      </ConfirmDialog>
    </Stack>
  )
}

/** In place of the verification, with the receipt, which is asked for like a secret. */
export function Erased({ erasure: { verificationId, erasedAt, session, receipt } }: { erasure: Erasure }) {
  const [isAsking, setAsking] = useState(true)
  return (
    <Alert color="gray" role="note">
      <Stack gap="sm" align="flex-start">
        <Title order={3} ref={focusOnMount} tabIndex={-1} style={{ outline: 'none' }}>
          Erased
        </Title>
        <Text>
          On <Timestamp at={erasedAt} seconds />. At the identity provider, {sessionStates[session.state]}
          {session.place !== null && `, as number ${session.place} of those that wait`}. {receiptWords.loss}{' '}
          <TenantLink to={`/audit-log?search=${verificationId}`}>Its events</TenantLink>
        </Text>
      </Stack>
      <SecretDialog
        opened={isAsking}
        onClose={() => setAsking(false)}
        secret={receipt}
        words={{ ...receiptWords, action: <ReceiptButton verificationId={verificationId} /> }}
      />
    </Alert>
  )
}

const receiptWords = {
  title: 'Save the receipt',
  label: 'receipt',
  noun: 'receipt',
  stored: 'saved',
  about: 'It is signed, names nobody, and proves to whoever asked that the verification was erased.',
  loss: 'An owner can get the receipt again from its event in the audit log, with what the provider has answered by then, for as long as the log is kept.',
}
