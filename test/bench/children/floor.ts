/**
 * The floor that the cost of requests is compared with: a bare server that hashes a key, looks the key and a verification up, and
 * responds with the verification. It validates, limits, logs and handles nothing.
 */
import { createHash } from 'node:crypto'
import { createServer } from 'node:http'
import pg from 'pg'

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL!, max: 10 })

const findKey = { name: 'find-key', text: 'select tenant_id from api_key where hash = $1' }
const findVerification = {
  name: 'find-verification',
  text: 'select status, confidence, completed_at from verification where tenant_id = $1 and id = $2',
}

createServer(async (request, response) => {
  const hash = createHash('sha256').update(String(request.headers['x-tenant-api-key'])).digest('hex')
  const { rows: keys } = await pool.query({ ...findKey, values: [hash] })
  const id = request.url!.slice(request.url!.indexOf('=') + 1)
  const { rows } = await pool.query({ ...findVerification, values: [keys[0].tenant_id, id] })
  const body = JSON.stringify({ verificationId: id, provider: 'veriff', ...rows[0] })
  const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }
  response.writeHead(200, headers).end(body)
}).listen(Number(process.env.PORT), process.env.HOST)
