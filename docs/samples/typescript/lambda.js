// AWS Lambda behind an API Gateway (REST, HTTP), a function URL or a load balancer (ALB), which has one of both headers.
import { receive } from './receive.js'

export async function handler({ body, isBase64Encoded, headers, multiValueHeaders }) {
  const rawBody = Buffer.from(body ?? '', isBase64Encoded ? 'base64' : 'utf8')
  const jobs = []
  const statusCode = await receive(rawBody, headers ?? multiValueHeaders ?? {}, job => jobs.push(job))
  await Promise.all(jobs) // Lambda freezes after the response. In production: a queue, such as SQS.
  return { statusCode, body: '' }
}
