import { useEffect, useState } from 'react'

/**
 * Gives the focus back, when the component goes, to where it was when the component came. A dialog does so by itself
 * when it closes, but not when the step that showed it ends and takes the whole dialog away.
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
