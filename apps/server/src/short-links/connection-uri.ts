import { parseUri, unwrapUri } from '@portico/wallet-connect/protocol'

/** The pages that dynamic links of mobile wallets name (protocol 14). */
const CONNECT_PATHS = new Set(['/wallet/connect', '/wallet-connect'])

/**
 * The connection URI in a link that opens the mobile wallet: a dynamic link of whatever host, since nobody is ever sent
 * there, or our own `/mobile-wallet`. Any other link has none.
 */
export function connectionUri(link: string, ownOrigin: string): string | undefined {
  const url = URL.parse(link, ownOrigin)
  if (url === null || !(isOurs(url, ownOrigin) || isDynamic(url))) return undefined
  const uri = unwrapUri(url.href)
  return uri !== undefined && parseUri(uri) !== undefined ? uri : undefined
}

function isOurs({ origin, pathname }: URL, ownOrigin: string): boolean {
  return origin === ownOrigin && pathname === '/mobile-wallet'
}

function isDynamic({ protocol, searchParams }: URL): boolean {
  const target = URL.parse(searchParams.get('link') ?? '')
  return (
    protocol === 'https:' && target?.protocol === 'https:' && CONNECT_PATHS.has(target.pathname)
  )
}
