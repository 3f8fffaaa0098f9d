import { randomUUID } from 'node:crypto'
import { expect } from 'chai'
import { assertDecryptable } from '#domain/encryption-key/encrypted-columns.ts'
import { rotateEncryptionKey } from '#domain/encryption-key/rotate-encryption-key.ts'
import type { Cipher } from '#domain/ports.ts'
import { forTenant, type OperatorScope } from '#domain/scope.ts'
import { createKeyRing } from '#domain/signing-key/key-ring.ts'
import { revealWebhookSecret, rotateWebhookSecret } from '#domain/tenant/rotate-webhook-secret.ts'
import { startVerification } from '#domain/verification/start-verification.ts'
import { createCipher } from '#server/cipher.ts'
import { rejected } from '../administration/rejected.ts'
import { useFixture } from '../verification/fixture.ts'

/** The key that the fixture encrypts with. */
const oldKey = Buffer.alloc(32, 7).toString('base64')
const newKey = Buffer.alloc(32, 8).toString('base64')

describe('a rotation of the encryption key', () => {
  const fixture = useFixture('test')
  let tenantId: string
  beforeEach(async () => {
    tenantId = await fixture.addTenant()
  })

  const both = createCipher([newKey, oldKey])
  const onlyNew = createCipher([newKey])
  function operator(cipher: Cipher): OperatorScope {
    return Object.assign(fixture.operator(), { cipher })
  }
  const secretOf = async (cipher: Cipher) =>
    (await revealWebhookSecret(forTenant(operator(cipher), tenantId))).webhookSecret

  it('encrypts signing keys, webhook secrets and stored responses with the newest key', async () => {
    await rotateWebhookSecret(forTenant(fixture.operator(), tenantId))
    const input = { idempotencyKey: 'order-1' }
    const started = await startVerification(fixture.tenant(tenantId), input)
    const secret = await secretOf(both)
    expect(await rotateEncryptionKey(operator(both))).to.deep.equal({ sealed: 4 })
    const { pool } = fixture.service()
    await assertDecryptable(pool, onlyNew)
    expect(await secretOf(onlyNew)).to.equal(secret)
    const [key] = await fixture.rows<{ kid: string }>('select kid from signing_key')
    expect(await createKeyRing(pool, onlyNew).key(key!.kid)).not.to.equal(undefined)
    const replaying = Object.assign(fixture.tenant(tenantId), { cipher: onlyNew })
    expect(await startVerification(replaying, input)).to.deep.equal({ ...started, replayed: true })
    expect(await rotateEncryptionKey(operator(both))).to.deep.equal({ sealed: 0 })
  })

  it('continues after an interruption, in batches of any number of rows', async () => {
    const ids = Array.from({ length: 450 }, () => randomUUID())
    await fixture.rows(
      `insert into webhook_secret (tenant_id, id, encrypted_secret, created_at, expires_at)
       select $1, id, sealed, now(), now() from unnest($2::uuid[], $3::bytea[]) as s (id, sealed)`,
      [tenantId, ids, ids.map(id => createCipher([oldKey]).seal('whsec_x', `webhook-secret:${id}`))],
    )
    let replaced = 0
    const failing = operator(both)
    const { pool } = failing
    failing.pool = {
      query(statement) {
        if (statement.name === 'reseal-webhook_secret' && replaced++ === 1) throw new Error('connection lost')
        return pool.query(statement)
      },
    }
    await rejected(rotateEncryptionKey(failing), 'DATABASE_ERROR')
    // The tenant's current secret, and what the first batch left.
    expect(await rotateEncryptionKey(operator(both))).to.deep.equal({ sealed: 451 - 200 })
    await assertDecryptable(fixture.service().pool, onlyNew)
    expect(await secretOf(onlyNew)).to.match(/^whsec_/)
  })

  it('does not overwrite a value that a service changes at the same time', async () => {
    const racing = operator(both)
    const { pool } = racing
    const [{ id } = { id: '' }] = await fixture.rows<{ id: string }>('select id from webhook_secret')
    const changed = both.seal('whsec_changed', `webhook-secret:${id}`)
    racing.pool = {
      async query(statement) {
        if (statement.name === 'reseal-webhook_secret') {
          await fixture.rows('update webhook_secret set encrypted_secret = $1', [changed])
        }
        return await pool.query(statement)
      },
    }
    // Only the signing key.
    expect(await rotateEncryptionKey(racing)).to.deep.equal({ sealed: 1 })
    expect(await secretOf(onlyNew)).to.equal('whsec_changed')
  })

  it('names the value that no key decrypts', async () => {
    const error = await rejected(rotateEncryptionKey(operator(onlyNew)), 'INTERNAL_ERROR')
    expect(error.cause).to.match(/^no key of ENCRYPTION_KEY decrypts signing-key:[\w-]{43}: /)
    expect(await assertDecryptable(fixture.service().pool, onlyNew).catch(thrown => thrown)).to.be.instanceOf(
      RangeError,
    )
  })
})
