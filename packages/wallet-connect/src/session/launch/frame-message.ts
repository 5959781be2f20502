import { fieldsIn } from '../../protocol/fields.ts'
import type { WalletAddresses } from './wallet-addresses.ts'

/** What the hosted wallet asks of the page that shows it. */
export type FrameMessage =
  | { readonly wish: 'close' | 'minimize' | 'restore' }
  | { readonly wish: 'openWindow'; readonly url: string }

const PLAIN = {
  window_close: 'close',
  window_minimize: 'minimize',
  window_restore: 'restore',
} as const

/**
 * Reads a message of the wallet's frame (§7.4). A page to sign in at is opened only over https and only where it belongs
 * to the wallet, to this page or to those the installation names: the frame must not become a way to open anything.
 */
export function frameMessage(
  data: unknown,
  {
    hosted,
    walletUrl,
    pageUrl,
  }: {
    readonly hosted: Pick<WalletAddresses['hosted'], 'authOrigins'>
    readonly walletUrl: string
    readonly pageUrl: string
  },
): FrameMessage | undefined {
  if (typeof data === 'string') {
    return Object.hasOwn(PLAIN, data) ? { wish: PLAIN[data as keyof typeof PLAIN] } : undefined
  }
  const { type, url } = fieldsIn(data)
  if (type !== 'authUrlReceived' || typeof url !== 'string' || !URL.canParse(url)) return undefined
  const { origin, protocol, href } = new URL(url)
  const own = new URL(pageUrl).origin
  const allowed = [own, new URL(walletUrl).origin, ...hosted.authOrigins]
  if (!allowed.includes(origin) || (protocol !== 'https:' && origin !== own)) return undefined
  return { wish: 'openWindow', url: href }
}
