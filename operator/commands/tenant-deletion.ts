import { open } from 'node:fs/promises'
import type { Command } from 'commander'
import { deleteTenant } from '#domain/deletion/delete-tenant.ts'
import { invalidParameter } from '#domain/parameters.ts'
import { forTenant, type OperatorScope } from '#domain/scope.ts'
import { withSkipProvider, withTenant } from '../options.ts'
import { type Output, record } from '../output.ts'
import type { CommandContext, Perform } from '../perform.ts'
import { previewDeletion } from '../queries/preview-deletion.ts'

interface DeleteOptions {
  tenant: string
  confirm?: string
  skipProvider?: boolean
  sessions?: string
}

export function addTenantDeletion(noun: Command, perform: Perform): void {
  withSkipProvider(withTenant(noun.command('delete')))
    .description(
      'Delete a tenant with everything but its usage counts; without --confirm, show what it would delete',
    )
    .option('--confirm <name>', 'the name of the tenant')
    .option('--sessions <file>', "append the provider's ids of the deleted sessions to a file, one per line")
    .addHelpText('after', deletionHelp)
    .action((options: DeleteOptions) => perform((scope, context) => remove(scope, options, context)))
}

const deletionHelp = `
The keys and members of the tenant are rejected first. Repeat the command if it was interrupted: it resumes where it stopped.
Its sessions are queued for the deletion at the identity provider (Veriff: 10 a day). For a tenant with many, add --skip-provider
and --sessions FILE, and have the provider delete the sessions that the file names.`

async function remove(
  scope: OperatorScope,
  { tenant: tenantId, confirm: name, skipProvider = false, sessions }: DeleteOptions,
  { err }: CommandContext,
): Promise<Output> {
  const bound = forTenant(scope, tenantId)
  if (name === undefined) {
    const preview = await previewDeletion(bound)
    return record(
      { tenantId, ...preview, deleted: false },
      `To delete all of it, add --confirm ${quoted(preview.name)}`,
    )
  }
  const file = sessions === undefined ? undefined : await openFile(sessions)
  let deleted = 0
  try {
    const onSessions = async (ids: string[]) => {
      await file?.appendFile(ids.map(id => `${id}\n`).join(''))
      await file?.sync()
      deleted += ids.length
      if (err.isTTY) err.write(`\r${deleted.toLocaleString('en-US')} verifications `)
    }
    await deleteTenant(bound, { name, skipProvider, onSessions })
  } finally {
    await file?.close()
    if (err.isTTY) err.write('\r\u001b[K')
  }
  return record({ tenantId, deleted: true })
}

/** Throws `INVALID_PARAMETERS`, before anything is deleted, if it cannot be written. */
async function openFile(path: string) {
  return await open(path, 'a', 0o600).catch((error: Error) => {
    throw invalidParameter('sessions', `--sessions cannot be used: ${error.message}`)
  })
}

/** As an argument of a POSIX shell. */
function quoted(name: string): string {
  return /^[\w.-]+$/.test(name) ? name : `'${name.replaceAll("'", `'\\''`)}'`
}
