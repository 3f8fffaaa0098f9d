import { suite } from '../harness/run/suite.mjs'

export default suite({
  folder: 'test/interop',
  slowFirst: ['test/interop/bench', 'test/interop/commands/', 'test/interop/clients/'],
})
