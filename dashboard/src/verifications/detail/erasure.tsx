import { Alert, Anchor, Button, Stack, Text, TextInput, Title } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { ActionButton, DisabledReasonNote } from '../../components/action-button.tsx'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'
import { DescriptionList } from '../../components/description-list.tsx'
import { useConfirmedMutation } from '../../components/mutations.ts'
import { Timestamp } from '../../components/timestamp.tsx'
import { useConfig } from '../../config.ts'
import { useDisabledReason, useMembership } from '../../session/session-context.ts'
import { type Outputs, useTrpc } from '../../trpc/trpc.ts'

export type Erasure = Outputs['verifications']['erase']

/** What is erased where, and what stays: before the erasure, and in its receipt. */
const erasedHere =
  'Its status, score and timeline, whether the user is 18 or over, its token, the event that is still to be sent, and the IP address and user agent that came with its start.'
const remains =
  "The counts of your usage, which name nobody; the entry in your audit log, with this ID and who erased it; until the token's expiry, the mark in a status list that revokes it offline. Backups keep what they have until they are overwritten, and you what you have stored."

const tailLength = 8
const nothingTyped = { text: '', error: '' }

interface Props {
  verification: Outputs['verifications']['get']
  onErased: (erasure: Erasure) => unknown
}

/** Erases what is stored of the user, once an owner has typed the end of the ID. */
export function EraseVerification({ verification: { verificationId, completedAt }, onErased }: Props) {
  const { baseUrl } = useConfig()
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
    { name: 'Here', value: erasedHere },
    {
      name: 'Identity provider',
      value: `The session, with the pictures and data of the document. ${test ? '' : pace}`,
    },
    { name: 'Stays', value: remains },
  ]
  return (
    <Stack component="section" aria-labelledby="erasure" gap="xs" align="flex-start">
      <Title order={3} id="erasure">
        Erasure
      </Title>
      <Text size="sm" c="dimmed">
        An owner can erase what is stored of this person, here and at the identity provider.{' '}
        <Anchor href={`${baseUrl}/docs/privacy`} target="_blank" rel="noreferrer" inherit underline="always">
          Access and erasure
        </Anchor>
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
          {completedAt === null && (
            <Text size="sm">It is not completed: it ends without a result, and no event is sent.</Text>
          )}
          <TextInput
            label={`To confirm, type the last ${tailLength} characters of its ID: ${tail}`}
            description="This can't be undone."
            value={typed.text}
            error={typed.error}
            autoComplete="off"
            onChange={event => setTyped({ text: event.currentTarget.value, error: '' })}
          />
        </Stack>
      </ConfirmDialog>
    </Stack>
  )
}

const pace =
  'It deletes ten sessions a day, for all tenants of this service together. When it deletes no more, or while the user is in the middle of the check, nothing is erased and you are told when to try again.'

const atProvider: Record<Erasure['provider'], string> = {
  deleted: 'Deleted the session, with the pictures and data of the document.',
  unknown: 'Had no such session any more.',
}

/** The button, to which it would return, is gone. */
const takeFocus = (heading: HTMLElement | null) => heading?.focus()

/** In place of the verification, with the receipt as a file. */
export function Erased({ erasure }: { erasure: Erasure }) {
  const { baseUrl } = useConfig()
  const { tenantId, tenantName } = useMembership()
  const { verificationId, erasedAt, provider } = erasure
  const receipt = [
    'Receipt of an erasure',
    `Verification: ${verificationId}`,
    `Erased at: ${erasedAt}`,
    `Erased by: an owner of the tenant "${tenantName}" (${tenantId}), whose audit log says who`,
    `Service: ${baseUrl}`,
    `Erased by the service: ${erasedHere}`,
    `Identity provider: ${atProvider[provider]}`,
    `Stays: ${remains}`,
  ]
  return (
    <Alert variant="light" color="gray" role="note">
      <Stack gap="sm" align="flex-start">
        <Title order={3} ref={takeFocus} tabIndex={-1} style={{ outline: 'none' }}>
          Erased
        </Title>
        <Text size="sm">
          On <Timestamp at={erasedAt} seconds />, here and at the identity provider: {atProvider[provider]}{' '}
          The receipt names nobody. It can't be downloaded later; your audit log keeps the time and who it
          was.
        </Text>
        <Button
          component="a"
          variant="default"
          href={`data:text/plain;charset=utf-8,${encodeURIComponent(`${receipt.join('\n\n')}\n`)}`}
          download={`erasure-${verificationId}.txt`}
        >
          Download receipt
        </Button>
      </Stack>
    </Alert>
  )
}
