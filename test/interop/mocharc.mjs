import { suite } from '../harness/run/suite.mjs'

export default suite({
  folder: 'test/interop',
  // Most tests start several programs, which a machine that is busy lets wait.
  timeout: 60_000,
  slowFirst: [
    'test/interop/bench',
    'test/interop/proxies/',
    'test/interop/commands/',
    'test/interop/clients/',
  ],
})
