import type { Command } from 'commander'
import { rotateEncryptionKey } from '#domain/encryption-key/rotate-encryption-key.ts'
import { record } from '../output.ts'
import type { Performers } from '../perform.ts'

const steps = `
To replace the key:
  1. With several processes: set ENCRYPTION_KEY=OLD,NEW and restart them, so that each can decrypt with both.
  2. Set ENCRYPTION_KEY=NEW,OLD and restart all services.
  3. Run operator encryption-key rotate; repeat it until it prints 0.
  4. Remove the old key and restart all services.`

export function addCommands(noun: Command, { perform }: Performers): void {
  noun
    .command('rotate')
    .description('Encrypt all secrets with the first key of ENCRYPTION_KEY')
    .addHelpText('after', steps)
    .action(() => perform(async scope => record(await rotateEncryptionKey(scope))))
}
