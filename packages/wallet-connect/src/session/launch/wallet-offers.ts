import { fieldsIn, textOf } from '../../protocol/fields.ts'
import type { SessionPorts } from '../ports.ts'

/** A server's names and store links for its wallets. */
export interface WalletOffers {
  readonly extensionName: string
  readonly mobileName: string
  readonly accountName: string
  readonly stores: { readonly chrome: string; readonly firefox: string }
}

const WALLETS_PATH = '/service-wallet-connect-bridge/wallets'

// Well within the 3 s of §4.1, like that of a short link: without an answer the dialog has general names.
const TIMEOUT_MS = 1500

/** Reads the names and store links of a server's wallets; undefined if it has none or cannot be reached. */
export async function readWalletOffers(
  server: string,
  { fetch, log }: Pick<SessionPorts, 'fetch' | 'log'>,
): Promise<WalletOffers | undefined> {
  try {
    const response = await fetch(new URL(WALLETS_PATH, server), {
      credentials: 'omit',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    if (!response.ok) throw new Error(`status ${response.status}`)
    return walletOffers(await response.json(), server)
  } catch (error) {
    log(`${server} has no list of wallets: is "server" the URL of a Portico installation?`, error)
    return undefined
  }
}

function walletOffers(value: unknown, server: string): WalletOffers {
  const fields = fieldsIn(value)
  const text = (name: string) => {
    const found = textOf(fields[name])
    if (found === undefined) throw new Error(`the list of wallets has no ${name}`)
    return found
  }
  const link = (name: string) => {
    const { href, protocol } = new URL(text(name), server)
    if (!['http:', 'https:'].includes(protocol)) throw new Error(`${name} is not a web page`)
    return href
  }
  return {
    extensionName: `${text('walletName')} extension`,
    mobileName: text('mobileName'),
    accountName: text('accountName'),
    stores: { chrome: link('extensionUrl'), firefox: link('firefoxExtensionUrl') },
  }
}
