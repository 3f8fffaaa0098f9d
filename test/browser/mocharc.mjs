import { suite } from '../harness/run/suite.mjs'

export default suite({
  folder: 'test/browser',
  slowFirst: ['test/browser/every-page', 'test/browser/firefox'],
})
