import type { DemoService } from './open-service.ts'
import type { Screen } from './screen.ts'

/** What every part of the story is played on. */
export interface Fixture {
  service: DemoService
  screen: Screen
}
