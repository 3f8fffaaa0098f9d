import { suite } from './test/harness/run/suite.mjs'

export default suite({
  needs: 'no program beside Node',
  slowFirst: [
    'test/every-',
    'test/rest/start-provider-unavailable',
    'test/server/webhooks/http/deadline',
    'test/domain/verification/grouped-writes',
    'test/rest/callback-bounds',
    'test/console-api/every-',
    'test/operator/',
    'test/development/',
    'test/domain/database/',
    'test/server/veriff/connection-failures',
    'test/server/webhooks/',
  ],
})
