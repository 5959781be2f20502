import { addressPrefix, isSameAddress } from './bech32.ts'
import type { ConnectedWallet } from './connection-match.ts'
import { shortAddress } from './short-address.ts'

/** The account that must connect; its name may be unknown. */
export interface WantedWallet {
  readonly name?: string | undefined
  readonly address: string
}

const NETWORKS: Readonly<Record<string, string>> = { pb: 'main network', tp: 'test network' }

/** Explains which account was expected and which one connected (§4.2, §4.8). */
export function mismatchNotice(wanted: WantedWallet, connected: ConnectedWallet): string {
  const actual = connected.group ?? connected.address
  if (isSameAddress(actual, wanted.address)) {
    return `The wallet acts for ${titleOf(wanted)}, but with the account ${shortAddress(connected.address)}, which is not the one you chose. We disconnected it.`
  }
  return (
    networkNotice(wanted.address, actual) ??
    `You chose ${titleOf(wanted)}, but the wallet connected as ${shortAddress(actual)}. We disconnected it.`
  )
}

/** Explains that the wallet's address is on a different network than expected; `undefined` if it is not. */
export function networkNotice(wanted: string, actual: string): string | undefined {
  const [expected, actualPrefix] = [addressPrefix(wanted), addressPrefix(actual)]
  if (expected === actualPrefix) return undefined
  return `This wallet is on ${networkOf(actualPrefix)}, but this site uses ${networkOf(expected)}. Switch the network in your wallet, or use another wallet.`
}

function titleOf({ name, address }: WantedWallet): string {
  return name === undefined ? shortAddress(address) : `${name} (${shortAddress(address)})`
}

function networkOf(prefix: string): string {
  const name = NETWORKS[prefix]
  const addresses = `addresses that begin with ${prefix}`
  return name === undefined ? `a network with ${addresses}` : `the ${name} (${addresses})`
}
