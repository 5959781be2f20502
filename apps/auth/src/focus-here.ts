/** As a `ref`: takes the focus when the element appears, after a step that the person asked for. */
export function focusHere(element: HTMLElement | null): void {
  element?.focus()
}
