import { parseUri, unwrapUri } from '@portico/wallet-connect/protocol'

/** The page paths in mobile wallets' dynamic links (protocol 14). */
const CONNECT_PATHS = new Set(['/wallet/connect', '/wallet-connect'])

/**
 * Extracts the connection URI from a link that opens the mobile wallet: our own `/mobile-wallet`, or a dynamic link of
 * any host, because users are never redirected there. Undefined for other links.
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
