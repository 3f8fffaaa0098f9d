/** A `ref` that moves the focus to an element as soon as it is shown. The attribute `autofocus` does so once per page. */
export function focusOnMount(element: HTMLElement | null): void {
  element?.focus()
}
