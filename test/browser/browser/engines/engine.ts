import type { Requirement } from '../../../harness/system-program.ts'

/**
 * A browser that runs the main flows. Over WebDriver, Firefox and WebKit can't have requests changed or a time set, WebKit
 * can't be asked whether it may leave a page, and neither follows a theme: those tests are only for Chromium.
 */
export interface Engine {
  name: string
  requirements: Requirement[]
  launch(): Promise<EngineBrowser>
}

export interface EngineBrowser {
  /** A user with cookies and a storage of their own. */
  newUser(): Promise<EngineUser>
  close(): Promise<void>
}

export interface EngineUser {
  page: EnginePage
  /** The file that the browser saves after an action. */
  download(action: () => Promise<void>): Promise<SavedFile>
}

export interface SavedFile {
  fileName: string
  text: string
}

/** What the flows use of a page: a part of Playwright's `Page`. An expression runs in the page. */
export interface EnginePage extends Finds {
  goto(url: string): Promise<unknown>
  reload(): Promise<unknown>
  goBack(): Promise<unknown>
  evaluate<Value>(expression: string): Promise<Value>
  keyboard: { press(key: Key): Promise<void> }
}

/** A part of Playwright's `Locator`. An action waits until there is the one element that it is for. */
export interface EngineLocator extends Finds {
  click(): Promise<void>
  /** Presses the keys of a text. */
  pressSequentially(text: string): Promise<void>
  press(key: Key): Promise<void>
  selectOption(label: string): Promise<unknown>
  inputValue(): Promise<string>
  textContent(): Promise<string | null>
  waitFor(options?: { state: 'visible' | 'hidden' }): Promise<void>
}

interface Finds {
  getByRole(role: Role, options?: { name?: string | RegExp; level?: number }): EngineLocator
}

export type Key = 'Enter' | 'Escape' | 'Control+A' | 'Control+V'

export type Role =
  | 'alert'
  | 'button'
  | 'combobox'
  | 'dialog'
  | 'heading'
  | 'link'
  | 'main'
  | 'radio'
  | 'region'
  | 'table'
  | 'textbox'
