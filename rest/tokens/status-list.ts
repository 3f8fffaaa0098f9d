import { z } from 'zod'
import {
  statusListPath,
  statusListTtlSeconds,
  statusListType,
} from '#domain/signing-key/status-list.policy.ts'
import { testPath } from '#domain/tenant/test-tenant.policy.ts'
import { getStatusList } from '#domain/token/get-status-list.ts'
import { type OpenEndpoint, openEndpoint } from '../endpoint.ts'

const exampleStatusList = 'eyJ0eXAiOiJzdGF0dXNsaXN0K2p3dCJ9.eyJ0dGwiOjMwMH0.c2lnbmF0dXJl'

const path = `${statusListPath}/{list}`

export const statusList = listEndpoint(false, {
  path,
  operationId: 'getTokenStatusList',
  tag: 'Age tokens',
  summary: 'Retrieve a status list',
  description:
    'Says which age tokens were revoked, to those who verify tokens offline: a Token Status List ' +
    '(draft-ietf-oauth-status-list) as a JWT, signed with a published key. The claim `status.status_list` of an age token ' +
    'has the address of its list as `uri`, and its place in it as `idx`: the token was revoked if the bit at `idx` is 1. ' +
    'Fetch a list again when it is older than its `ttl`, and do not use it after `exp`. Earlier lists are not kept, so the ' +
    'parameter `time` is not supported.',
})

export const testStatusList = listEndpoint(true, {
  path: `${testPath}${path}`,
  operationId: 'getTestTokenStatusList',
  tag: 'Test tenants',
  summary: 'Retrieve a status list of test tenants',
  description: 'Says which age tokens of test tenants were revoked, as the status lists of live ones do.',
})

function listEndpoint(
  test: boolean,
  own: Pick<OpenEndpoint, 'path' | 'operationId' | 'tag' | 'summary' | 'description'>,
) {
  return openEndpoint({
    ...own,
    method: 'GET',
    maxAgeSeconds: statusListTtlSeconds,
    parameters: z.object({
      list: z
        .string()
        .regex(/^[1-9]\d{0,8}$/)
        .meta({ description: 'The number of the list, as in the `uri` of the token.', example: '1' }),
    }),
    unsupported: { time: 'The parameter time is not supported: only the current list is kept.' },
    response: {
      status: 200,
      description:
        'The list. Its claims are `iss`, `sub` (its own address), `iat`, `exp`, `ttl` (seconds) and `status_list`, with ' +
        '`bits` (1) and `lst`, the list as a bit array that is compressed with zlib and encoded in base64url.',
      mediaType: `application/${statusListType}`,
      schema: z.string().meta({
        description: 'A JWT whose header has the `typ` `statuslist+jwt`.',
        example: exampleStatusList,
      }),
    },
    errors: ['ROUTE_NOT_FOUND', 'NOT_ACCEPTABLE', 'NOT_IMPLEMENTED'],
    handle: ({ scope, parameters }) => getStatusList(scope, Number(parameters.list), { test }),
  })
}
