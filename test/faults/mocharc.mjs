import { suite } from '../harness/run/suite.mjs'

export default suite({
  folder: 'test/faults',
  slowFirst: [
    'test/faults/patroni',
    'test/faults/failover',
    'test/faults/upgrade',
    'test/faults/short-run',
    'test/faults/service/readiness',
  ],
})
