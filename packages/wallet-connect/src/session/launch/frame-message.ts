import { fieldsIn } from '../../protocol/fields.ts'
import type { WalletAddresses } from './wallet-addresses.ts'

/** A message from the hosted wallet to the page that embeds it. */
export type FrameMessage =
  | { readonly type: 'close' | 'minimize' | 'restore' }
  | { readonly type: 'openWindow'; readonly url: string }

const COMMANDS = {
  window_close: 'close',
  window_minimize: 'minimize',
  window_restore: 'restore',
} as const

/**
 * Parses a message from the wallet's frame (§7.4). A sign-in page is opened only over https and only if its origin is
 * the wallet's, this page's or one that the installation allows: the frame must not be able to open arbitrary windows.
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
    return Object.hasOwn(COMMANDS, data)
      ? { type: COMMANDS[data as keyof typeof COMMANDS] }
      : undefined
  }
  const { type, url } = fieldsIn(data)
  if (type !== 'authUrlReceived' || typeof url !== 'string' || !URL.canParse(url)) return undefined
  const { origin, protocol, href } = new URL(url)
  const own = new URL(pageUrl).origin
  const allowed = [own, new URL(walletUrl).origin, ...hosted.authOrigins]
  if (!allowed.includes(origin) || (protocol !== 'https:' && origin !== own)) return undefined
  return { type: 'openWindow', url: href }
}
