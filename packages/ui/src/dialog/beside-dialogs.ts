import { type RefObject, useEffect } from 'react'

const OPEN_DIALOG = '[data-part="dialog"][data-open]'

/** The elements around a dialog with which Base UI traps the focus: each moves it to the opposite end. */
const FOCUS_GUARD = '[data-base-ui-focus-guard]'

/**
 * Adds a button of the page to the tab order of every open dialog, after its last element, for actions that must always be
 * reachable. Give an ancestor `aria-live="off"`, so that dialogs do not hide the button from screen readers.
 */
export function useBesideDialogs(button: RefObject<HTMLButtonElement | null>): void {
  useEffect(() => {
    const listeners = new AbortController()
    const options = { capture: true, signal: listeners.signal }
    window.addEventListener(
      'focusin',
      (event) => {
        if (!isGuardOfDialog(event.target) || event.relatedTarget === button.current) return
        event.stopImmediatePropagation()
        button.current?.focus()
      },
      options,
    )
    window.addEventListener(
      'keydown',
      (event) => {
        if (event.key !== 'Tab' || event.target !== button.current) return
        const dialog = [...document.querySelectorAll(OPEN_DIALOG)].at(-1)
        const guard = event.shiftKey ? dialog?.previousElementSibling : dialog?.nextElementSibling
        if (!(guard instanceof HTMLElement) || !guard.matches(FOCUS_GUARD)) return
        event.preventDefault()
        guard.focus()
      },
      options,
    )
    return () => listeners.abort()
  }, [button])
}

function isGuardOfDialog(target: EventTarget | null): boolean {
  if (!(target instanceof Element) || !target.matches(FOCUS_GUARD)) return false
  return [target.previousElementSibling, target.nextElementSibling].some((beside) =>
    beside?.matches(OPEN_DIALOG),
  )
}
