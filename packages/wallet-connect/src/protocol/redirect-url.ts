// Following one of these would run a script or show a forged page in the wallet's origin.
const UNSAFE_SCHEMES = [
  'javascript:',
  'data:',
  'blob:',
  'file:',
  'filesystem:',
  'vbscript:',
  'about:',
]

/** Where the user goes after the wallet has responded: a web URL or an app's custom scheme. */
export function redirectUrlIn(value: unknown): string | undefined {
  if (typeof value !== 'string' || !URL.canParse(value)) return undefined
  const { protocol, href } = new URL(value)
  return UNSAFE_SCHEMES.includes(protocol) ? undefined : href
}
