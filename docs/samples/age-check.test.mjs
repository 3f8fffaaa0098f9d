import assert from 'node:assert/strict'
import { test } from 'node:test'

const { SERVICE_URL, API_KEY, SIMULATOR_URL } = process.env
const headers = { 'x-tenant-api-key': API_KEY }

test('a minor is refused, although the verification is approved', async () => {
  const started = await fetch(`${SERVICE_URL}/verify/start`, { method: 'POST', headers })
  const { verificationId } = await started.json()
  await fetch(`${SIMULATOR_URL}/control/sessions/${verificationId}/decide`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ outcome: 'approve-minor' }),
  })
  const read = await fetch(`${SERVICE_URL}/verify/status?verificationId=${verificationId}`, { headers })
  const { status, over18 } = await read.json()
  assert.equal(status, 'approved')
  assert.equal(over18, false)
})
