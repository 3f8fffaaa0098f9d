import { expect } from 'chai'
import { expectError } from '../harness/expect-error.ts'
import { sendRaw } from '../harness/raw-http.ts'
import { useService } from '../harness/use-service.ts'
import { captureLog } from './captured-log.ts'

describe('A request to /console', () => {
  const captured = captureLog()
  const service = useService({ log: captured.log })

  const malformed: [string, string][] = [
    ['a malformed Host', 'GET /console/session.me HTTP/1.1\r\nHost: ][\r\n\r\n'],
    ['an impossible port in the URL', 'GET http://a:99999999/console/session.me HTTP/1.1\r\nHost: a\r\n\r\n'],
    ['a malformed Host and a body', 'POST /console/x HTTP/1.1\r\nHost: ][\r\nContent-Length: 2\r\n\r\n{}'],
    ['the method TRACE', 'TRACE /console/session.me HTTP/1.1\r\nHost: a\r\n\r\n'],
  ]
  for (const [title, bytes] of malformed) {
    it(`with ${title} gets a 400 in the error envelope, and logs no error`, async () => {
      const response = await sendRaw(service.baseUrl, bytes)
      expectError(response, 'INVALID_PARAMETERS')
      const lines = await captured.linesOf(response.headers.get('x-request-id'))
      expect(lines.map(({ level, msg }) => [level, msg])).to.deep.equal([['info', 'request']])
    })
  }

  it('with another method gets a 404 or 405, and logs no error', async () => {
    for (const method of ['PUT', 'DELETE', 'PATCH', 'PROPFIND']) {
      const response = await fetch(`${service.baseUrl}/console/session.me`, { method })
      expect(response.status, method).to.be.oneOf([404, 405])
      const lines = await captured.linesOf(response.headers.get('x-request-id'))
      expect(lines.map(({ level }) => level)).to.deep.equal(['info'])
    }
  })

  it('has its procedures and the code of its error in its line, and no name that is not one of a procedure', async () => {
    for (const [path, procedure] of [
      ['session.me', 'session.me'],
      ['session.me,private.name?batch=1', 'session.me'],
    ]) {
      const response = await fetch(`${service.baseUrl}/console/${path}`)
      const [line] = await captured.linesOf(response.headers.get('x-request-id'))
      expect(line).to.include({ route: '/console', procedure })
      expect(line?.code).to.be.oneOf(['UNAUTHENTICATED_TENANT', 'ROUTE_NOT_FOUND'])
    }
    expect(captured.text()).not.to.include('private.name')
  })
})
