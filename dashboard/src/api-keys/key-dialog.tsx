import { SecretDialog, type SecretDialogProps } from '../components/secret-dialog.tsx'

/** Shows a form and then, once, the key that it created. */
export function KeyDialog(props: SecretDialogProps) {
  return <SecretDialog {...props} words={words} />
}

const words = {
  title: 'Save your API key',
  label: 'API key',
  noun: 'key',
  stored: 'stored',
  about:
    "Store this key now, such as in your secret manager, and never in a browser, an app or version control. The service stores only a hash and can't show the key again.",
  loss: "You won't be able to see it again. If you lose it, create a new one.",
}
