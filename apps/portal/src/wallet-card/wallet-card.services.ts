import { findTransaction, isPayment } from '@portico/chain-client/transfers'
import { NOTICES } from '@portico/contracts/notices'
import { STORAGE_KEYS } from '@portico/contracts/storage-keys'
import { readAccounts, readWalletJwt } from '@portico/contracts/wallet'
import type { Services } from '@portico/flow'
import { hexOf } from '@portico/keys/bytes'
import { type Credentials, requiredAccount } from '@portico/rules/chosen-credentials'
import { connectionMatch } from '@portico/rules/connection-match'
import { formatNumber, formatTimeOfDay } from '@portico/rules/format'
import { selectedCredentials } from '@portico/rules/token-claims'
import { walletApp } from '@portico/rules/wallet-app'
import { chainErrorText, walletErrorText } from '@portico/rules/wallet-error'
import { mismatchNotice } from '@portico/rules/wallet-mismatch'
import { failureOf } from '@portico/shell/failure-of'
import { formatCoins } from '@portico/wallet-connect/format-coins'
import { isDeclined, isKnownText, RPC_ERRORS } from '@portico/wallet-connect/protocol'
import {
  CONNECTION_EXPIRED,
  type DisconnectMethodEventData,
  type DisconnectMethodResult,
  type OperationResult,
  type WalletConnectService,
  WINDOW_MESSAGES,
} from '@portico/wallet-connect/session'
import type { Environment } from '../environment.ts'
import { readActing } from '../read-acting.ts'
import type { Command, Event, Operation, Outcome, SentPayment } from './wallet-card.flow.ts'

export interface WalletCardDeps
  extends Pick<
    Environment,
    'chainNode' | 'client' | 'identityTokenUpdated' | 'production' | 'reportError' | 'storage'
  > {
  readonly jwt: Pick<Environment['jwt'], 'read' | 'write'>
  readonly wait: (milliseconds: number, signal: AbortSignal) => Promise<void>
  readonly locks: () => Pick<LockManager, 'request'>
  readonly wallet: Pick<
    WalletConnectService,
    | 'addListener'
    | 'disconnect'
    | 'init'
    | 'removeListener'
    | 'removePendingMethod'
    | 'sendMessage'
    | 'signHexMessage'
    | 'signJWT'
    | 'state'
    | 'switchToGroup'
  >
}

/** The ID used to withdraw the card's pending request. */
const CUSTOM_ID = 'wallet-card'

/** Held while a tab switches the account of session and wallet, so that no tab compares the two in between. */
const LOCK = 'portico-wallet-account'

const NOT_CONNECTED = 'No wallet is connected'
const NOT_ACCEPTED = 'The network did not accept the transaction'
const NOT_IN_BLOCK = 'The transaction is not in a block yet'
const NOT_IN_BLOCK_ADVICE =
  'Do not send it again before you have checked it: it may still be carried out.'
const OTHER_TRANSACTION = 'Your wallet sent something else'
const OTHER_TRANSACTION_ADVICE =
  'The transaction that it named does not contain this payment. Check it before you send again.'
const NO_TRANSACTION: Outcome = {
  tone: 'warn',
  title: 'Your wallet did not say what it sent',
  detail: 'Check your latest payments before you send again.',
}
/** A transaction's hash. */
const HASH = /^[0-9a-f]{64}$/i
const DISCONNECTED = 'You disconnected it.'
const SWITCH_FAILED = 'Your wallet switched accounts, but we could not switch your session'
/** How often to look for a transaction in a block, and for how long. */
const BLOCK_POLL_MS = 2000
const BLOCK_TIMEOUT_MS = 60_000

const BEING_CARRIED_OUT = 'Your wallet is already carrying this out. Its result will appear here.'
const NOT_WITHDRAWN = 'Your wallet did not withdraw the request. Its result will appear here.'
const MISMATCH =
  'Your wallet switched to another account than the one you act as, so we disconnected it.'

/** The result of an operation; `acting` is set if the session now acts as another account. */
type OperationEnd = Omit<Extract<Event, { type: 'operationEnded' }>, 'type'>

export function walletCardServices(deps: WalletCardDeps): Services<Event, Command> {
  const {
    chainNode,
    client,
    identityTokenUpdated,
    jwt,
    locks,
    production,
    reportError,
    storage,
    wallet,
  } = deps
  const custom = { customId: CUSTOM_ID }

  /** §4.2: a connected wallet that does not match the selected account is disconnected. */
  function disconnectMismatch(): void {
    const selected = selectedCredentials(jwt.read())
    if (selected === undefined || !wallet.state.connected) return
    const group = wallet.state.representedGroupPolicy?.address
    const connected = { address: wallet.state.address, ...(group ? { group } : {}) }
    if (connectionMatch(connected, selected) === 'mismatch') void wallet.disconnect(MISMATCH)
  }

  /** A wallet notifies all tabs of a switch before the tab that requested it has updated its session. */
  function disconnectMismatchOnceSettled(): void {
    locks()
      .request(LOCK, { ifAvailable: true }, (lock) => lock && disconnectMismatch())
      .catch(reportError)
  }

  /**
   * §4.1: after a switch to a group completes, the identity token is refreshed. Uses the requested group, because wallets
   * may send the session update before or after their response.
   */
  async function refreshToken(group: string | undefined, outcome: Outcome): Promise<OperationEnd> {
    const { address: walletAddress } = wallet.state
    const query = group === undefined ? {} : { groupPolicyAddress: group }
    try {
      const fresh = await client(readWalletJwt, { query: { walletAddress, ...query } })
      jwt.write(fresh.jwt)
      identityTokenUpdated()
      storage.write(STORAGE_KEYS.ownerWallet, group ?? walletAddress)
    } catch (error) {
      return { outcome: { tone: 'danger', title: SWITCH_FAILED, detail: failureText(error) } }
    }
    return { outcome, acting: await readActing(deps) }
  }

  async function switchGroup(group: string | undefined): Promise<OperationEnd> {
    const before = wallet.state.representedGroupPolicy?.address
    const result = await wallet.switchToGroup(group)
    const title = group === undefined ? 'You act as yourself' : 'You act for a group'
    const outcome = outcomeOf(result, title)
    const done = result.valid ? await refreshToken(group, outcome) : { outcome }
    // The wallet may have switched to a different group, or the session could not be updated.
    if (wallet.state.representedGroupPolicy?.address !== before) disconnectMismatch()
    return done
  }

  /** Requests a payment. The wallet may answer before the transaction is in a block. */
  async function send(payment: Extract<Operation, { kind: 'send' }>): Promise<Event> {
    const { address, representedGroupPolicy } = wallet.state
    const { recipient: to, amount, memo } = payment
    const { sendMessage } = await import('@portico/chain-client/messages')
    const from = representedGroupPolicy?.address ?? address
    const message = sendMessage({ from, to, amount, denom: 'nhash' })
    const sent = await wallet.sendMessage({ message, memo, ...custom })
    const { txhash } = sent.result?.txResponse ?? {}
    const transaction = typeof txhash === 'string' && HASH.test(txhash) ? txhash : undefined
    if (transaction !== undefined) {
      const claimed = { transaction, from, to, amount }
      // A wallet may also report a failure of a transaction that the chain carried out.
      const found = sent.valid ? undefined : await outcomeOnChain(claimed)
      if (found !== undefined) return { type: 'operationEnded', outcome: found }
      if (sent.valid) return { type: 'transactionAccepted', payment: claimed }
    }
    const outcome = sent.valid ? NO_TRANSACTION : { ...outcomeOf(sent, ''), transaction }
    return { type: 'operationEnded', outcome }
  }

  /** What became of a payment, from the chain; undefined if its transaction is in no block, or the chain does not answer. */
  async function outcomeOnChain(payment: SentPayment): Promise<Outcome | undefined> {
    const { transaction, from, to, amount } = payment
    const found = await findTransaction(chainNode, transaction).catch(() => undefined)
    if (found === undefined) return undefined
    if (found.code !== 0) {
      const detail = chainErrorText(found.rawLog)
      return { tone: 'danger', title: NOT_ACCEPTED, detail, transaction }
    }
    if (isPayment(found, { from, to, coin: { denom: 'nhash', amount } })) {
      return { tone: 'ok', title: sentTitle(payment), detail: inBlock(found.height), transaction }
    }
    return { tone: 'warn', title: OTHER_TRANSACTION, detail: OTHER_TRANSACTION_ADVICE, transaction }
  }

  async function operate(operation: Exclude<Operation, { kind: 'send' }>): Promise<OperationEnd> {
    switch (operation.kind) {
      case 'connect': {
        const selected = selectedCredentials(jwt.read())
        // The rest happens in the wallet; the wallet session reports the result.
        await wallet.init({
          walletAppId: walletApp('hosted', production),
          ...(selected && requiredAccount(selected)),
        })
        return {}
      }
      case 'sign-message': {
        const hex = hexOf(new TextEncoder().encode(operation.text))
        const result = await wallet.signHexMessage(hex, custom)
        return { outcome: outcomeOf(result, 'The message is signed', result.result?.signature) }
      }
      case 'sign-token': {
        const result = await wallet.signJWT(undefined, custom)
        const until = result.result && formatTimeOfDay(result.result.expires * 1000)
        const detail = until && `It is valid until ${until}.`
        return { outcome: outcomeOf(result, 'The token is signed', detail) }
      }
      case 'switch-group':
        return locks().request(LOCK, () => switchGroup(operation.group))
      case 'disconnect':
        await wallet.disconnect(DISCONNECTED)
        return { outcome: disconnection({ message: DISCONNECTED }, undefined) }
    }
  }

  /** Adds its listeners synchronously, so no event caused by the next command is missed. */
  function disconnections(signal: AbortSignal): AsyncGenerator<Event> {
    const { promise, resolve } = Promise.withResolvers<DisconnectMethodResult | undefined>()
    const onDisconnect = ({ result }: DisconnectMethodEventData) => resolve(result)
    wallet.addListener(WINDOW_MESSAGES.DISCONNECT, onDisconnect)
    wallet.addListener(WINDOW_MESSAGES.SESSION_UPDATED, disconnectMismatchOnceSettled)
    signal.addEventListener('abort', () => {
      wallet.removeListener(WINDOW_MESSAGES.DISCONNECT, onDisconnect)
      wallet.removeListener(WINDOW_MESSAGES.SESSION_UPDATED, disconnectMismatchOnceSettled)
      resolve(undefined)
    })
    return (async function* () {
      const result = await promise
      if (result !== undefined)
        yield {
          type: 'disconnected',
          outcome: disconnection(result, selectedCredentials(jwt.read())),
        }
    })()
  }

  return {
    async readAccounts() {
      try {
        const [items, acting] = await Promise.all([client(readAccounts, {}), readActing(deps)])
        // The wallet may have switched, or another may have connected, while no page was open.
        disconnectMismatchOnceSettled()
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
        return operation.kind === 'send'
          ? await send(operation)
          : { type: 'operationEnded', ...(await operate(operation)) }
      } catch (error) {
        const outcome = {
          tone: 'danger',
          title: 'That did not work',
          detail: failureText(error),
        } as const
        return { type: 'operationEnded', outcome }
      }
    },
    async awaitBlock({ payment }, signal) {
      for (let waited = 0; waited < BLOCK_TIMEOUT_MS; waited += BLOCK_POLL_MS) {
        // A wallet usually answers when the transaction is in a block.
        if (waited > 0) await deps.wait(BLOCK_POLL_MS, signal)
        if (signal.aborted) return undefined
        // An unreachable node is polled again, because the transaction has already been sent.
        const outcome = await outcomeOnChain(payment)
        if (outcome !== undefined) return { type: 'operationEnded', outcome }
      }
      const outcome = {
        tone: 'warn',
        title: NOT_IN_BLOCK,
        detail: NOT_IN_BLOCK_ADVICE,
        transaction: payment.transaction,
      } as const
      return { type: 'operationEnded', outcome }
    },
    async withdraw() {
      // The pending operation settles once withdrawn.
      const { valid, error = '' } = await wallet.removePendingMethod(CUSTOM_ID)
      if (valid) return undefined
      const isDecided = withoutPrefix(error) === RPC_ERRORS.alreadyDecided.message
      return { type: 'withdrawalRefused', notice: isDecided ? BEING_CARRIED_OUT : NOT_WITHDRAWN }
    },
  }
}

const sentTitle = ({ amount }: { readonly amount: string }) =>
  `Sent ${formatCoins([{ denom: 'nhash', amount }])}`

const inBlock = (height: number) => `It is in block ${formatNumber(height)}.`

/** Why the wallet disconnected: expiry and mismatch are warnings, anything else is information. */
function disconnection(
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
  const isOurs = message === DISCONNECTED || isKnownText(message ?? '')
  const detail = isOurs ? message : walletErrorText(message, isKnownText)
  return { tone: 'info', title: NOT_CONNECTED, detail }
}

/** The failure's messages and advice as one text. */
function failureText(error: unknown): string {
  const { notices, advice } = failureOf(error)
  return [...notices, advice].filter(Boolean).join(' ')
}

function outcomeOf({ valid, error }: OperationResult, title: string, detail?: string): Outcome {
  if (error !== undefined) {
    const message = withoutPrefix(error)
    return isDeclined(message)
      ? { tone: 'info', title: 'You declined the request', detail: message }
      : {
          tone: 'danger',
          title: 'That did not work',
          detail: walletErrorText(error, isKnownText),
        }
  }
  return valid
    ? { tone: 'ok', title, detail }
    : { tone: 'danger', title: 'The signature does not match the connected account', detail }
}

/** Operation errors are strings prefixed with `Error: ` (protocol 12); users see only the message. */
function withoutPrefix(error: string): string {
  return error.replace(/^Error: /, '')
}
