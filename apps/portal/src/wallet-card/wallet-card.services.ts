import { NOTICES } from '@portico/contracts/errors'
import { STORAGE_KEYS } from '@portico/contracts/storage-keys'
import {
  type AccountAccess,
  readAccountAccess,
  readAccounts,
  readWalletJwt,
} from '@portico/contracts/wallet'
import type { Services } from '@portico/flow'
import { type Credentials, requiredAccount } from '@portico/rules/chosen-credentials'
import { connectionMatch } from '@portico/rules/connection-match'
import { selectedBy, tokenClaims } from '@portico/rules/token-claims'
import { walletApp } from '@portico/rules/wallet-app'
import { mismatchNotice } from '@portico/rules/wallet-mismatch'
import { failureOf } from '@portico/shell/failure-of'
import { isDeclined } from '@portico/wallet-connect/protocol'
import {
  CONNECTION_EXPIRED,
  type DisconnectMethodEventData,
  type DisconnectMethodResult,
  type OperationResult,
  type WalletConnectService,
  WINDOW_MESSAGES,
} from '@portico/wallet-connect/session'
import type { Environment } from '../environment.ts'
import type { Command, Event, Operation, Outcome } from './wallet-card.flow.ts'

/** What the card leans on. */
export interface WalletCardDeps
  extends Pick<
    Environment,
    'client' | 'identityTokenUpdated' | 'production' | 'reportError' | 'storage'
  > {
  readonly jwt: Pick<Environment['jwt'], 'keep' | 'read'>
  readonly locks: () => Pick<LockManager, 'request'>
  readonly wallet: Pick<
    WalletConnectService,
    | 'addListener'
    | 'disconnect'
    | 'init'
    | 'removeListener'
    | 'removePendingMethod'
    | 'signHexMessage'
    | 'signJWT'
    | 'state'
    | 'switchToGroup'
  >
}

/** The name under which the card's one request can be taken back. */
const CUSTOM_ID = 'wallet-card'

/** Held while a page changes the account that the session and its wallet act as; every tab compares them only outside. */
const LOCK = 'portico-wallet-account'

const NOT_CONNECTED = 'No wallet is connected'
const DISCONNECTED = 'You disconnected it.'
const NOT_FOLLOWED = 'Your wallet has changed, but this site could not follow'
const MISMATCH =
  'The wallet changed to another account than the one you act as, so we disconnected it.'

/** What came of an operation; `acting` where it has changed whom the session acts as. */
type Ended = Omit<Extract<Event, { type: 'ended' }>, 'type'>

/** Carries out what the card has done; each service reports back with an event. */
export function walletCardServices(deps: WalletCardDeps): Services<Event, Command> {
  const { client, identityTokenUpdated, jwt, locks, production, reportError, storage, wallet } =
    deps
  const custom = { customId: CUSTOM_ID }

  /** Whom the session acts as, the account of the tab's choice before any other (§7.4). */
  async function readActing(): Promise<AccountAccess | undefined> {
    // A token without an address acts as nobody, and the call would be refused.
    if (tokenClaims(jwt.read()).addr === undefined) return undefined
    const principal = storage.read(STORAGE_KEYS.ownerWallet)
    try {
      return await client(readAccountAccess, { query: principal ? { principal } : {} })
    } catch (error) {
      // The choice of somebody who was signed in here before; the card does without.
      failureOf(error)
      return undefined
    }
  }

  /** §4.2: a connected wallet that does not match the selected account is disconnected. */
  function disconnectOther(): void {
    const selected = selectedBy(jwt.read())
    if (selected === undefined || !wallet.state.connected) return
    const group = wallet.state.representedGroupPolicy?.address
    const connected = { address: wallet.state.address, ...(group ? { group } : {}) }
    if (connectionMatch(connected, selected) === 'mismatch') void wallet.disconnect(MISMATCH)
  }

  /** A wallet tells all tabs of a switch before the session of the tab that asked for it has followed. */
  function disconnectOtherOnceSettled(): void {
    locks()
      .request(LOCK, { ifAvailable: true }, (lock) => lock && disconnectOther())
      .catch(reportError)
  }

  /**
   * §4.1: after a switch to a group completes, the identity token is refreshed. The group is the one that was asked for:
   * wallets tell the page of it before they answer or after.
   */
  async function follow(group: string | undefined, outcome: Outcome): Promise<Ended> {
    const { address: walletAddress } = wallet.state
    const query = group === undefined ? {} : { groupPolicyAddress: group }
    try {
      const fresh = await client(readWalletJwt, { query: { walletAddress, ...query } })
      jwt.keep(fresh.jwt)
      identityTokenUpdated()
      storage.keep(STORAGE_KEYS.ownerWallet, group ?? walletAddress)
    } catch (error) {
      return { outcome: { tone: 'danger', title: NOT_FOLLOWED, detail: wordsOf(error) } }
    }
    return { outcome, acting: await readActing() }
  }

  async function switchGroup(group: string | undefined): Promise<Ended> {
    const before = wallet.state.representedGroupPolicy?.address
    const told = await wallet.switchToGroup(group)
    const title = group === undefined ? 'You act as yourself' : 'You act for a group'
    const outcome = outcomeOf(told, title)
    const done = told.valid ? await follow(group, outcome) : { outcome }
    // It may have switched to another group than it was asked for, or the session could not follow.
    if (wallet.state.representedGroupPolicy?.address !== before) disconnectOther()
    return done
  }

  async function operate(operation: Operation): Promise<Ended> {
    switch (operation.kind) {
      case 'connect': {
        const selected = selectedBy(jwt.read())
        // What is next happens in the wallet, and the session says so by itself.
        await wallet.init({
          walletAppId: walletApp('hosted', production),
          ...(selected && requiredAccount(selected)),
        })
        return {}
      }
      case 'sign-message': {
        const told = await wallet.signHexMessage(operation.hex, custom)
        return { outcome: outcomeOf(told, 'The message is signed', told.result?.signature) }
      }
      case 'sign-token': {
        const told = await wallet.signJWT(undefined, custom)
        const until = told.result && new Date(told.result.expires * 1000).toLocaleTimeString()
        const detail = until && `It is good until ${until}.`
        return { outcome: outcomeOf(told, 'The token is signed', detail) }
      }
      case 'switch-group':
        return locks().request(LOCK, () => switchGroup(operation.group))
      case 'disconnect':
        await wallet.disconnect(DISCONNECTED)
        return { outcome: ended({ message: DISCONNECTED }, undefined) }
    }
  }

  /** Listens at once, so that nothing is missed that the next command brings about. */
  function disconnections(signal: AbortSignal): AsyncGenerator<Event> {
    const { promise, resolve } = Promise.withResolvers<DisconnectMethodResult | undefined>()
    const heard = ({ result }: DisconnectMethodEventData) => resolve(result)
    wallet.addListener(WINDOW_MESSAGES.DISCONNECT, heard)
    wallet.addListener(WINDOW_MESSAGES.SESSION_UPDATED, disconnectOtherOnceSettled)
    signal.addEventListener('abort', () => {
      wallet.removeListener(WINDOW_MESSAGES.DISCONNECT, heard)
      wallet.removeListener(WINDOW_MESSAGES.SESSION_UPDATED, disconnectOtherOnceSettled)
      resolve(undefined)
    })
    return (async function* () {
      const result = await promise
      if (result !== undefined)
        yield { type: 'disconnected', outcome: ended(result, selectedBy(jwt.read())) }
    })()
  }

  return {
    async readAccounts() {
      try {
        const [items, acting] = await Promise.all([client(readAccounts, {}), readActing()])
        // A wallet may have changed, or another one connected, while no page was open.
        disconnectOtherOnceSettled()
        return { type: 'accountsRead', accounts: { items, acting } }
      } catch (error) {
        failureOf(error)
        const outcome = { tone: 'danger', title: NOTICES.accountsNotRetrieved } as const
        return { type: 'accountsNotRead', outcome }
      }
    },
    watchConnection: (_, signal) => disconnections(signal),
    async operate({ operation }) {
      try {
        return { type: 'ended', ...(await operate(operation)) }
      } catch (error) {
        const outcome = { tone: 'danger', title: 'Not done', detail: wordsOf(error) } as const
        return { type: 'ended', outcome }
      }
    },
    async withdraw() {
      // What was asked answers by itself once it is withdrawn; where it cannot be, the wallet has decided already.
      await wallet.removePendingMethod(CUSTOM_ID)
    },
  }
}

/** Why no wallet is connected any more: expiry and mismatch warn, anything else is a fact. */
function ended(
  { message, mismatch }: DisconnectMethodResult,
  selected: Credentials | undefined,
): Outcome {
  if (mismatch !== undefined && selected !== undefined) {
    const address = selected.groupPolicyAddress ?? selected.walletAddress
    const detail = mismatchNotice({ address }, mismatch)
    return { tone: 'warn', title: 'Another account connected', detail }
  }
  if (message === CONNECTION_EXPIRED) {
    return { tone: 'warn', title: CONNECTION_EXPIRED, detail: 'Connect your wallet again.' }
  }
  if (message === MISMATCH) return { tone: 'warn', title: NOT_CONNECTED, detail: MISMATCH }
  if (message !== undefined && isDeclined(message)) {
    return { tone: 'info', title: 'You declined the connection' }
  }
  return { tone: 'info', title: NOT_CONNECTED, detail: message }
}

/** Why a call failed, and what to do. */
function wordsOf(error: unknown): string {
  const { notices, advice } = failureOf(error)
  return [...notices, advice].filter(Boolean).join(' ')
}

function outcomeOf({ valid, error }: OperationResult, title: string, detail?: string): Outcome {
  if (error !== undefined) {
    const words = withoutPrefix(error)
    return isDeclined(words)
      ? { tone: 'info', title: 'You declined the request', detail: words }
      : { tone: 'danger', title: 'Not done', detail: words }
  }
  return valid
    ? { tone: 'ok', title, detail }
    : { tone: 'danger', title: 'The signature is not that of the connected account', detail }
}

/** Errors of operations are texts that begin like this (protocol 12); a person needs what comes after. */
function withoutPrefix(error: string): string {
  return error.replace(/^Error: /, '')
}
