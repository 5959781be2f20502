import { useEffect, useState } from 'react'

/**
 * Restores the focus on unmount to the element that had it on mount. A dialog does this itself when it closes, but not when
 * the whole dialog is unmounted because its step ended.
 */
export function useReturnFocus(): void {
  const [opener] = useState(() => document.activeElement)
  useEffect(
    () => () => {
      if (opener instanceof HTMLElement) opener.focus()
    },
    [opener],
  )
}
