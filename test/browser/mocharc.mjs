import { suite } from '../harness/run/suite.mjs'

export default suite({
  folder: 'test/browser',
  needs: 'Chromium, and Firefox for the main flows; the tests of a browser that is missing are pending',
  timeout: 60_000,
  slowFirst: ['test/browser/every-page', 'test/browser/firefox'],
})
