import { suite } from '../harness/run/suite.mjs'

export default suite({
  folder: 'test/system',
  needs:
    'redis-server, the programs of PostgreSQL, HAProxy, nginx and others, each for some of the tests, which are pending without it',
  // Most tests and hooks start several programs, or install or build some, which a machine that is busy lets wait.
  timeout: 180_000,
  slowFirst: [
    'test/system/chaos',
    'test/system/standing-faults',
    'test/system/patroni',
    'test/system/upgrade',
    'test/system/failover',
    'test/system/bench',
    'test/system/service/readiness',
    'test/system/proxies/',
    'test/system/commands/',
    'test/system/clients/',
  ],
})
