import { ERROR_CATALOG } from '@portico/contracts/error-catalog'
import { NOTICES } from '@portico/contracts/notices'
import type { AccountListItem, WalletType } from '@portico/contracts/wallet'
import { flow, type Next } from '@portico/flow'
import {
  type AccountChoice,
  type AccountSections,
  accountSections,
} from '@portico/rules/account-sections'
import { type Credentials, chosenCredentials } from '@portico/rules/chosen-credentials'
import { type ConnectedWallet, connectionMatch } from '@portico/rules/connection-match'
import { mismatchNotice, type WantedWallet } from '@portico/rules/wallet-mismatch'
import type { WalletOpening } from '@portico/rules/wallet-opening'
import { type Failure, UNEXPECTED } from '@portico/shell/failure'
import type { Result as Verification } from '../verify/verify.flow.ts'

/** The alert above the list: what happened and what to do. */
export interface Problem {
  readonly title?: string | undefined
  readonly failure: Failure
}

/** The wallet modal (§2.7, §4.2). Capitalized steps are the specification's statuses. */
export type State =
  | { step: 'reading'; problem?: Problem | undefined }
  /** Reading the list, to verify the wallet with this address. */
  | { step: 'readingToVerify'; walletAddress: string }
  /** Reading the list, to connect an account of which only the token's claims are known. */
  | { step: 'readingToConnect'; chosen: Credentials }
  /** The list could not be read; a retry opens the modal as before. */
  | { step: 'unavailable'; opening: WalletOpening; problem: Problem }
  | { step: 'Select'; list: AccountSections; problem?: Problem | undefined }
  /** Selecting an account; the list is unknown if it was not needed before. */
  | { step: 'selecting'; choice: AccountChoice; list?: AccountSections | undefined }
  | { step: 'Connect'; chosen: Credentials; choice: AccountChoice | 'unknown' }
  /** Without `clicked`, a new wallet is verified: the one with the `intended` address, or any. */
  | { step: 'Verify'; clicked: AccountChoice | undefined; intended?: string | undefined }
  | { step: 'Provenance'; clicked: AccountChoice }
  | {
      step: 'Verification_Error'
      clicked: AccountChoice | undefined
      intended?: string | undefined
      failure: Failure
    }
  | { step: 'Success' }
  | { step: 'left' }

/** The specification's statuses (§4.2), and `left` for a closed modal. */
export type Status =
  | 'Select'
  | 'Connect'
  | 'Verify'
  | 'Provenance'
  | 'Verification_Error'
  | 'Success'
  | 'left'

export type Result = { kind: 'success' } | { kind: 'closed' }

/** Pages the modal navigates to (§2.2). */
export type Page = 'create-wallet' | 'select-account'

/**
 * `wallet` is the wallet connected at that moment. `selected` is the account of the stored token, which another tab may
 * have changed.
 */
export type Event =
  | {
      type: 'accountsRead'
      items: readonly AccountListItem[]
      wallet: ConnectedWallet | undefined
      selected?: Credentials | undefined
    }
  | { type: 'accountsNotRead'; failure: Failure }
  | { type: 'accountChosen'; choice: AccountChoice }
  | { type: 'selected'; choice: AccountChoice; wallet: ConnectedWallet | undefined }
  | { type: 'forbidden'; choice: AccountChoice; wallet: ConnectedWallet | undefined }
  | { type: 'refused'; failure: Failure }
  | { type: 'newWalletRequested' }
  | { type: 'organizationRequested' }
  | { type: 'conversionRequested' }
  | { type: 'connected'; wallet: ConnectedWallet; selected?: Credentials | undefined }
  | { type: 'verification'; result: Verification }
  | { type: 'retried' }
  | { type: 'back' }
  | { type: 'closed' }

export type Command =
  | { type: 'readAccounts' }
  | { type: 'selectAccount'; choice: AccountChoice }
  | { type: 'disconnect' }
  | { type: 'goTo'; page: Page }
  | { type: 'convert'; walletAddress: string }
  | { type: 'returnResult'; result: Result }

export type Input = WalletOpening

type Transition = Next<State, Command>

type Connecting = Extract<State, { step: 'Connect' }>

const DISCONNECT: Command = { type: 'disconnect' }
const READ: Command = { type: 'readAccounts' }

/** Shows the list after reloading it. */
const showList = (problem?: Problem): Transition => [
  { step: 'reading', ...(problem && { problem }) },
  READ,
]

function open(opening: WalletOpening): Transition {
  switch (opening.section) {
    case 'Connect':
      return [{ step: 'readingToConnect', chosen: opening.chosen }, READ]
    case 'Verify':
      return opening.walletAddress === undefined
        ? verifyNew()
        : [{ step: 'readingToVerify', walletAddress: opening.walletAddress }, READ]
    case 'Select':
      return showList('error' in opening ? MISSING_ADDR : undefined)
  }
}

const leave = (result: Result): Transition => [
  { step: result.kind === 'success' ? 'Success' : 'left' },
  { type: 'returnResult', result },
]

const close = (): Transition => leave({ kind: 'closed' })

const goTo = (page: Page): Transition => [{ step: 'left' }, { type: 'goTo', page }]

const otherWallet = (wanted: WantedWallet, connected: ConnectedWallet): Problem => ({
  title: 'Another wallet connected',
  failure: { notices: [mismatchNotice(wanted, connected), 'Please choose again.'] },
})

const NOT_YOURS: Problem = {
  title: 'This account is not in your list',
  failure: { notices: ['You cannot act for it. Please choose one of your accounts.'] },
}

const CHOSEN_ELSEWHERE: Problem = {
  title: 'You chose another account in another window',
  failure: {
    notices: ['Its wallet is connected. To act as a different account here, choose again.'],
  },
}

const ALREADY_ATTACHED: Problem = {
  title: ERROR_CATALOG['wallet-already-attached'].message,
  failure: { notices: [NOTICES.selectWalletFromList] },
}

const MISSING_ADDR: Problem = {
  title: 'Choose the account to connect',
  failure: { notices: [ERROR_CATALOG['missing-addr-claim'].message] },
}

const select = (choice: AccountChoice, list?: AccountSections): Transition => [
  { step: 'selecting', choice, ...(list && { list }) },
  { type: 'selectAccount', choice },
]

/** Connects an account, or continues with `matched` if its wallet is connected. A wrong wallet is disconnected. */
function connect(
  connecting: Connecting,
  wallet: ConnectedWallet | undefined,
  matched: (connecting: Connecting) => Transition,
): Transition {
  switch (connectionMatch(wallet, connecting.chosen)) {
    case 'matches':
      return matched(connecting)
    case 'mismatch':
      return [connecting, DISCONNECT]
    case 'missing':
      return [connecting]
  }
}

/** The section after a 403 on choosing an account (§4.2): old wallets are converted, all others verified. */
export function forbiddenChoice(type: WalletType): 'Verify' | 'Provenance' {
  return type === 'PROVENANCE' ? 'Provenance' : 'Verify'
}

/** After a 403: an old wallet is converted, any other is verified. A different connected wallet is disconnected first. */
function forbid(choice: AccountChoice, wallet: ConnectedWallet | undefined): Transition {
  if (forbiddenChoice(choice.wallet.type) === 'Provenance') {
    return [{ step: 'Provenance', clicked: choice }]
  }
  const match = connectionMatch(wallet, { walletAddress: choice.wallet.address })
  return [{ step: 'Verify', clicked: choice }, ...(match === 'mismatch' ? [DISCONNECT] : [])]
}

/** Verifies a new wallet. The present connection ends when the user has chosen how to connect the new one. */
const verifyNew = (): Transition => [{ step: 'Verify', clicked: undefined }]

/** Verifies a wallet that is not in the list, by its address. */
function verifyIntended(intended: string, wallet: ConnectedWallet | undefined): Transition {
  const match = connectionMatch(wallet, { walletAddress: intended })
  return [
    { step: 'Verify', clicked: undefined, intended },
    ...(match === 'mismatch' ? [DISCONNECT] : []),
  ]
}

/** The first account that a wallet signs for, preferring its own account. */
function walletOf(
  { individual, organizational }: AccountSections,
  walletAddress: string,
): AccountChoice | undefined {
  return [...individual, ...organizational].find(({ wallet }) => wallet.address === walletAddress)
}

/** After a matching wallet connects: closes the modal if the token already names it (§4.2), otherwise selects it first. */
function settle({ chosen, choice }: Connecting, selected: Credentials | undefined): Transition {
  if (selected !== undefined && isSame(selected, chosen)) return leave({ kind: 'success' })
  if (choice !== 'unknown') return select(choice)
  // An address not attached to the user yet must be verified. Connecting does not add a user to a group.
  if (chosen.groupPolicyAddress === undefined) {
    return [{ step: 'Verify', clicked: undefined, intended: chosen.walletAddress }]
  }
  return disconnectAndShowList(NOT_YOURS)
}

const disconnectAndShowList = (problem: Problem): Transition => {
  const [reading, ...commands] = showList(problem)
  return [reading, DISCONNECT, ...commands]
}

const isSame = (one: Credentials, other: Credentials): boolean =>
  connectionMatch({ address: one.walletAddress, group: one.groupPolicyAddress }, other) ===
  'matches'

/** The account shown on the Connect screen, with its name if the list contains it. */
function wantedIn({ chosen, choice }: Connecting): WantedWallet {
  return choice === 'unknown'
    ? { address: chosen.groupPolicyAddress ?? chosen.walletAddress }
    : choice.account
}

/** The wallet to verify: that of the clicked account, or the one with the intended address. */
export function wantedToVerify({
  clicked,
  intended,
}: Extract<State, { step: 'Verify' }>): WantedWallet | undefined {
  if (clicked !== undefined) return clicked.wallet
  return intended === undefined ? undefined : { address: intended }
}

/** The status that a step belongs to. */
export function statusOf(state: State): Status {
  switch (state.step) {
    case 'reading':
    case 'readingToVerify':
    case 'unavailable':
    case 'selecting':
      return 'Select'
    case 'readingToConnect':
      return 'Connect'
    default:
      return state.step
  }
}

/** Where the modal reopens after a reload. */
export function openingOf(state: State): WalletOpening {
  switch (state.step) {
    case 'readingToConnect':
    case 'Connect':
      return { section: 'Connect', chosen: state.chosen }
    case 'readingToVerify':
      return { section: 'Verify', walletAddress: state.walletAddress }
    case 'Verify':
    case 'Verification_Error':
      return { section: 'Verify', walletAddress: state.clicked?.wallet.address ?? state.intended }
    case 'unavailable':
      return state.opening
    case 'reading':
    case 'Select':
    case 'selecting':
    case 'Provenance':
    case 'Success':
    case 'left':
      return { section: 'Select' }
  }
}

/** The list entry for the account named in the token. */
function choiceOf(
  { individual, organizational }: AccountSections,
  { walletAddress, groupPolicyAddress }: Credentials,
): AccountChoice | 'unknown' {
  const found = [...individual, ...organizational].find(({ account, wallet }) =>
    groupPolicyAddress === undefined
      ? wallet.address === walletAddress
      : wallet.address === walletAddress && account.address === groupPolicyAddress,
  )
  return found ?? 'unknown'
}

function verified(clicked: AccountChoice | undefined): Transition {
  // An attached wallet acts for itself, so an organization it signs for must be selected again.
  return clicked === undefined || clicked.wallet.authorizationType === 'Owner'
    ? leave({ kind: 'success' })
    : select(clicked)
}

type Reading = Extract<State, { step: 'reading' | 'readingToVerify' | 'readingToConnect' }>

const unavailable = (state: Reading, { failure }: { failure: Failure }): Transition => [
  {
    step: 'unavailable',
    opening: openingOf(state),
    // The problem that led back to the list explains more than the failed call.
    problem: (state.step === 'reading' && state.problem) || { failure },
  },
]

const backToList = {
  back: () => showList(),
  closed: close,
}

/** The links below the list. */
const listLinks = {
  newWalletRequested: verifyNew,
  organizationRequested: () => goTo('select-account'),
  closed: close,
}

export const walletModal = flow<State, Event, Command, Input>({
  name: 'wallet-modal',
  begin: open,
  failed: { type: 'refused', failure: UNEXPECTED },
  on: {
    reading: {
      ...listLinks,
      accountsRead: (state, { items }) =>
        items.length === 0
          ? goTo('create-wallet')
          : [{ ...state, step: 'Select', list: accountSections(items) }],
      accountsNotRead: unavailable,
      refused: unavailable,
    },
    readingToVerify: {
      ...listLinks,
      accountsRead: ({ walletAddress }, { items, wallet }) => {
        if (items.length === 0) return goTo('create-wallet')
        const list = accountSections(items)
        const found = walletOf(list, walletAddress)
        if (found === undefined) return verifyIntended(walletAddress, wallet)
        return found.wallet.verified ? [{ step: 'Select', list }] : forbid(found, wallet)
      },
      accountsNotRead: unavailable,
      refused: unavailable,
    },
    readingToConnect: {
      ...backToList,
      accountsRead: ({ chosen }, { items, wallet, selected }) => {
        if (items.length === 0) return goTo('create-wallet')
        const choice = choiceOf(accountSections(items), chosen)
        return connect({ step: 'Connect', chosen, choice }, wallet, (connecting) =>
          settle(connecting, selected),
        )
      },
      accountsNotRead: unavailable,
      refused: unavailable,
    },
    unavailable: {
      ...listLinks,
      retried: ({ opening }) => open(opening),
    },
    Select: {
      ...listLinks,
      accountChosen: ({ list }, { choice }) => select(choice, list),
    },
    selecting: {
      ...listLinks,
      selected: (_, { choice, wallet }) =>
        connect({ step: 'Connect', chosen: chosenCredentials(choice), choice }, wallet, () =>
          leave({ kind: 'success' }),
        ),
      forbidden: (_, { choice, wallet }) => forbid(choice, wallet),
      refused: ({ list }, { failure }) =>
        list === undefined
          ? showList({ failure })
          : [{ step: 'Select', list, problem: { failure } }],
    },
    Connect: {
      ...backToList,
      connected: (state, { wallet, selected }) => {
        if (connectionMatch(wallet, state.chosen) === 'matches') return settle(state, selected)
        // All tabs share one token and one connection: do not disconnect a wallet that another tab just connected.
        return selected !== undefined && connectionMatch(wallet, selected) === 'matches'
          ? showList(CHOSEN_ELSEWHERE)
          : disconnectAndShowList(otherWallet(wantedIn(state), wallet))
      },
      refused: (_, { failure }) => showList({ failure }),
    },
    Verify: {
      ...backToList,
      verification: (state, { result }) => {
        const { clicked, intended } = state
        switch (result.kind) {
          case 'verified':
            return verified(clicked)
          case 'alreadyAttached':
            return showList(ALREADY_ATTACHED)
          case 'mismatch': {
            const wanted = wantedToVerify(state)
            return showList(wanted && otherWallet(wanted, result.wallet))
          }
          case 'failed':
            return [{ step: 'Verification_Error', clicked, intended, failure: result.failure }]
        }
      },
    },
    Provenance: {
      ...backToList,
      conversionRequested: (state) => [
        state,
        { type: 'convert', walletAddress: state.clicked.wallet.address },
      ],
    },
    Verification_Error: {
      ...backToList,
      retried: ({ clicked, intended }) => [{ step: 'Verify', clicked, intended }],
    },
    Success: {},
    left: {},
  },
})
