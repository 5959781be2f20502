const PHONES = /Android|webOS|iPhone|iPad|iPod|BlackBerry|IEMobile|Opera Mini/i

/** Whether this is a phone (protocol 14): by its user agent, a narrow screen, and touch. */
export function isMobileDevice(
  view: Pick<Window, 'matchMedia' | 'navigator'> & { readonly ontouchstart?: unknown },
): boolean {
  return (
    PHONES.test(view.navigator.userAgent) &&
    view.matchMedia('only screen and (max-width: 760px)').matches &&
    'ontouchstart' in view
  )
}
