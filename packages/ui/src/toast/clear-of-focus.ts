import { type RefObject, useEffect } from 'react'

/**
 * Moves the region of the toasts to the other end of the window while it covers the focused element (WCAG 2.4.11). It
 * stays there until the last toast is gone, or until it would cover the focus there. `count` is the number of toasts.
 */
export function useClearOfFocus(region: RefObject<HTMLElement | null>, count: number): void {
  useEffect(() => {
    const element = region.current
    if (element === null) return undefined
    if (count === 0) {
      element.removeAttribute('data-aside')
      return undefined
    }
    const stepAside = () => {
      if (coversFocus(element)) element.toggleAttribute('data-aside')
    }
    // The browser scrolls to an element after its focus event.
    let frame = requestAnimationFrame(stepAside)
    const schedule = () => {
      cancelAnimationFrame(frame)
      frame = requestAnimationFrame(stepAside)
    }
    const listeners = new AbortController()
    for (const event of ['focusin', 'scrollend', 'resize']) {
      window.addEventListener(event, schedule, { capture: true, signal: listeners.signal })
    }
    return () => {
      cancelAnimationFrame(frame)
      listeners.abort()
    }
  }, [region, count])
}

function coversFocus(region: HTMLElement): boolean {
  const focused = document.activeElement
  if (focused === null || focused === document.body || region.contains(focused)) return false
  const [toasts, focus] = [region.getBoundingClientRect(), focused.getBoundingClientRect()]
  // A whole page or dialog that has the focus is not hidden, and is at both ends.
  if (focus.height > window.innerHeight / 2) return false
  return (
    toasts.top < focus.bottom &&
    toasts.bottom > focus.top &&
    toasts.left < focus.right &&
    toasts.right > focus.left
  )
}
