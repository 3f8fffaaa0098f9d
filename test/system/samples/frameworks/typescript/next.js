export { POST } from './fetch.js'
