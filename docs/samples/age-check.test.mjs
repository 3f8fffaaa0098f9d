import assert from 'node:assert/strict'
import { test } from 'node:test'

const { SERVICE_URL, API_KEY } = process.env
const headers = { 'x-tenant-api-key': API_KEY, 'content-type': 'application/json' }

test('a minor is refused, although the verification is approved', async () => {
  const started = await fetch(`${SERVICE_URL}/verify/start`, { method: 'POST', headers, body: '{}' })
  const { verificationId } = await started.json()
  await fetch(`${SERVICE_URL}/test/verifications/${verificationId}/outcome`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ outcome: 'minor' }),
  })
  const read = await fetch(`${SERVICE_URL}/verify/status?verificationId=${verificationId}`, { headers })
  const { status, over18 } = await read.json()
  assert.equal(status, 'approved')
  assert.equal(over18, false)
})
