import type { ConnectedWallet } from './connection-match.ts'
import { shortAddress } from './short-address.ts'

/** The account that has to connect, as far as the page can name it. */
export interface WantedWallet {
  readonly name?: string | undefined
  readonly address: string
}

const NETWORKS: Readonly<Record<string, string>> = { pb: 'main network', tp: 'test network' }

/** Says which account was wanted and which one connected instead (§4.2, §4.8). */
export function mismatchNotice(wanted: WantedWallet, connected: ConnectedWallet): string {
  const came = connected.group ?? connected.address
  return (
    networkNotice(wanted.address, came) ??
    `You chose ${titleOf(wanted)}, but the wallet connected as ${shortAddress(came)}. We disconnected it.`
  )
}

/** Names both networks where a wallet's address belongs to another one than the wanted address. */
export function networkNotice(wanted: string, came: string): string | undefined {
  const [expected, found] = [prefixOf(wanted), prefixOf(came)]
  if (expected === found) return undefined
  return `This wallet is on ${networkOf(found)}, but this site uses ${networkOf(expected)}. Switch the network in your wallet, or use another wallet.`
}

function titleOf({ name, address }: WantedWallet): string {
  return name === undefined ? shortAddress(address) : `${name} (${shortAddress(address)})`
}

function networkOf(prefix: string): string {
  const name = NETWORKS[prefix]
  const addresses = `addresses that begin with ${prefix}`
  return name === undefined ? `a network with ${addresses}` : `the ${name} (${addresses})`
}

/** The human-readable part of a Bech32 address: everything before the last `1`, in either case (BIP-173). */
function prefixOf(address: string): string {
  return address.slice(0, Math.max(0, address.lastIndexOf('1'))).toLowerCase()
}
