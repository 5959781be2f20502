// Following one of these would run a script or show a forged page in the wallet's own name.
const HARMFUL = ['javascript:', 'data:', 'blob:', 'file:', 'filesystem:', 'vbscript:', 'about:']

/** Where a page wants the person to go after the wallet answered: a web address or an application's own scheme. */
export function redirectUrlIn(value: unknown): string | undefined {
  if (typeof value !== 'string' || !URL.canParse(value)) return undefined
  const { protocol, href } = new URL(value)
  return HARMFUL.includes(protocol) ? undefined : href
}
