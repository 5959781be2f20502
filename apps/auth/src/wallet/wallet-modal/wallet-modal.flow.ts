import { ERROR_CATALOGUE, NOTICES } from '@portico/contracts/errors'
import type { AccountListItem } from '@portico/contracts/wallet'
import { flow, type Next } from '@portico/flow'
import {
  type AccountChoice,
  type AccountSections,
  accountSections,
} from '@portico/rules/account-sections'
import { type Credentials, chosenCredentials } from '@portico/rules/chosen-credentials'
import { type ConnectedWallet, connectionMatch } from '@portico/rules/connection-match'
import { forbiddenChoice } from '@portico/rules/forbidden-choice'
import { mismatchNotice, type WantedWallet } from '@portico/rules/wallet-mismatch'
import type { WalletOpening } from '@portico/rules/wallet-opening'
import { type Failure, UNEXPECTED } from '@portico/shell/failure'
import type { Result as Verification } from '../verify/verify.flow.ts'

type AccountList = 'reading' | 'unavailable' | AccountSections

/** The alert above the list: what happened and what to do. */
export interface Problem {
  readonly title?: string | undefined
  readonly failure: Failure
}

/** The wallet modal (§2.7, §4.2); its steps are the specification's statuses. */
export type State =
  | {
      step: 'Select'
      list: AccountList
      choosing?: AccountChoice | undefined
      /** The address of the wallet to verify once the list is loaded. */
      verifying?: string | undefined
      /** The account to connect once the list can be loaded. */
      connecting?: Credentials | undefined
      problem?: Problem | undefined
    }
  /** `choice` is looked up in the list if only the token names the wallet. */
  | { step: 'Connect'; chosen: Credentials; choice: AccountChoice | 'reading' | 'unknown' }
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

const DISCONNECT: Command = { type: 'disconnect' }
const READ: Command = { type: 'readAccounts' }

/** Returns to the list and reloads it. */
const select = (problem?: Problem): Transition => [
  { step: 'Select', list: 'reading', ...(problem && { problem }) },
  READ,
]

/** Connects the account named in the token; the list provides its details. */
const connect = (chosen: Credentials): Transition => [
  { step: 'Connect', chosen, choice: 'reading' },
  READ,
]

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
  title: ERROR_CATALOGUE['wallet-already-attached'].message,
  failure: { notices: [NOTICES.selectWalletFromList] },
}

const MISSING_ADDR: Problem = {
  title: 'Choose the account to connect',
  failure: { notices: [ERROR_CATALOGUE['missing-addr-claim'].message] },
}

const choose = (state: Extract<State, { step: 'Select' }>, choice: AccountChoice): Transition => [
  { step: 'Select', list: state.list, choosing: choice },
  { type: 'selectAccount', choice },
]

/** After a selection: closes the modal if the right wallet is connected, and disconnects a wrong one. */
function connectTo(choice: AccountChoice, wallet: ConnectedWallet | undefined): Transition {
  const chosen = chosenCredentials(choice)
  const connecting: State = { step: 'Connect', chosen, choice }
  switch (connectionMatch(wallet, chosen)) {
    case 'matches':
      return leave({ kind: 'success' })
    case 'mismatch':
      return [connecting, DISCONNECT]
    case 'missing':
      return [connecting]
  }
}

/** After a 403: an old wallet is converted, any other is verified. A different connected wallet is disconnected first. */
function forbid(choice: AccountChoice, wallet: ConnectedWallet | undefined): Transition {
  if (forbiddenChoice(choice.wallet.type) === 'Provenance') {
    return [{ step: 'Provenance', clicked: choice }]
  }
  const match = connectionMatch(wallet, { walletAddress: choice.wallet.address })
  return [{ step: 'Verify', clicked: choice }, ...(match === 'mismatch' ? [DISCONNECT] : [])]
}

/** Verifies a new wallet. The connected one is disconnected first, otherwise it would be verified again. */
const verifyNew = (): Transition => [{ step: 'Verify', clicked: undefined }, DISCONNECT]

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
function settle(
  { chosen, choice }: Extract<State, { step: 'Connect' }>,
  selected: Credentials | undefined,
): Transition {
  if (selected !== undefined && isSame(selected, chosen)) return leave({ kind: 'success' })
  if (typeof choice === 'object') {
    return [
      { step: 'Select', list: 'reading', choosing: choice },
      { type: 'selectAccount', choice },
    ]
  }
  // An address not attached to the user yet must be verified. Connecting does not add a user to a group.
  if (chosen.groupPolicyAddress === undefined) {
    return [{ step: 'Verify', clicked: undefined, intended: chosen.walletAddress }]
  }
  const [selecting, ...commands] = select(NOT_YOURS)
  return [selecting, DISCONNECT, ...commands]
}

const isSame = (one: Credentials, other: Credentials): boolean =>
  connectionMatch({ address: one.walletAddress, group: one.groupPolicyAddress }, other) ===
  'matches'

/** The account shown on the Connect screen, with its name if the list contains it. */
function wantedIn({ chosen, choice }: Extract<State, { step: 'Connect' }>): WantedWallet {
  return typeof choice === 'object'
    ? choice.account
    : { address: chosen.groupPolicyAddress ?? chosen.walletAddress }
}

/** The wallet to verify: that of the clicked account, or the one with the intended address. */
export function wantedToVerify({
  clicked,
  intended,
}: Extract<State, { step: 'Verify' }>): WantedWallet | undefined {
  if (clicked !== undefined) return clicked.wallet
  return intended === undefined ? undefined : { address: intended }
}

/** Where the modal reopens after a reload. */
export function openingOf(state: State): WalletOpening {
  switch (state.step) {
    case 'Connect':
      return { section: 'Connect', chosen: state.chosen }
    case 'Verify':
    case 'Verification_Error':
      return { section: 'Verify', walletAddress: state.clicked?.wallet.address ?? state.intended }
    case 'Select':
      return state.connecting === undefined
        ? { section: 'Select' }
        : { section: 'Connect', chosen: state.connecting }
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
    : [
        { step: 'Select', list: 'reading', choosing: clicked },
        { type: 'selectAccount', choice: clicked },
      ]
}

export const walletModal = flow<State, Event, Command, Input>({
  name: 'wallet-modal',
  begin: (opening) => {
    if (opening.section === 'Connect') return connect(opening.chosen)
    if (opening.section === 'Verify') {
      const { walletAddress } = opening
      if (walletAddress === undefined) return verifyNew()
      return [{ step: 'Select', list: 'reading', verifying: walletAddress }, READ]
    }
    return select('error' in opening ? MISSING_ADDR : undefined)
  },
  failed: { type: 'refused', failure: UNEXPECTED },
  on: {
    Select: {
      accountsRead: ({ verifying, ...state }, { items, wallet }) => {
        if (items.length === 0) return goTo('create-wallet')
        const list = accountSections(items)
        if (verifying === undefined) return [{ ...state, list }]
        const found = walletOf(list, verifying)
        if (found === undefined) return verifyIntended(verifying, wallet)
        return found.wallet.verified ? [{ ...state, list }] : forbid(found, wallet)
      },
      accountsNotRead: (state, { failure }) => [
        { step: 'Select', list: 'unavailable', problem: state.problem ?? { failure } },
      ],
      accountChosen: (state, { choice }) =>
        state.choosing === undefined ? choose(state, choice) : [state],
      selected: (_, { choice, wallet }) => connectTo(choice, wallet),
      forbidden: (_, { choice, wallet }) => forbid(choice, wallet),
      refused: ({ list }, { failure }) =>
        list === 'reading' ? select({ failure }) : [{ step: 'Select', list, problem: { failure } }],
      newWalletRequested: verifyNew,
      organizationRequested: () => goTo('select-account'),
      retried: ({ connecting }) => (connecting === undefined ? select() : connect(connecting)),
      closed: close,
    },
    Connect: {
      accountsRead: ({ chosen }, { items, wallet, selected }) => {
        if (items.length === 0) return goTo('create-wallet')
        const choice = choiceOf(accountSections(items), chosen)
        const connecting = { step: 'Connect', chosen, choice } as const
        switch (connectionMatch(wallet, chosen)) {
          case 'matches':
            return settle(connecting, selected)
          case 'mismatch':
            return [connecting, DISCONNECT]
          case 'missing':
            return [connecting]
        }
      },
      accountsNotRead: ({ chosen }, { failure }) => [
        { step: 'Select', list: 'unavailable', problem: { failure }, connecting: chosen },
      ],
      connected: (state, { wallet, selected }) => {
        if (connectionMatch(wallet, state.chosen) === 'matches') return settle(state, selected)
        // All tabs share one token and one connection: do not disconnect a wallet that another tab just connected.
        if (selected !== undefined && connectionMatch(wallet, selected) === 'matches') {
          return select(CHOSEN_ELSEWHERE)
        }
        const [selecting, ...commands] = select(otherWallet(wantedIn(state), wallet))
        return [selecting, DISCONNECT, ...commands]
      },
      refused: (_, { failure }) => select({ failure }),
      back: () => select(),
      closed: close,
    },
    Verify: {
      verification: (state, { result }) => {
        const { clicked, intended } = state
        switch (result.kind) {
          case 'verified':
            return verified(clicked)
          case 'alreadyAttached':
            return select(ALREADY_ATTACHED)
          case 'mismatch': {
            const wanted = wantedToVerify(state)
            return select(wanted && otherWallet(wanted, result.wallet))
          }
          case 'failed':
            return [{ step: 'Verification_Error', clicked, intended, failure: result.failure }]
        }
      },
      back: () => select(),
      closed: close,
    },
    Provenance: {
      conversionRequested: (state) => [
        state,
        { type: 'convert', walletAddress: state.clicked.wallet.address },
      ],
      back: () => select(),
      closed: close,
    },
    Verification_Error: {
      retried: ({ clicked, intended }) => [{ step: 'Verify', clicked, intended }],
      back: () => select(),
      closed: close,
    },
    Success: {},
    left: {},
  },
})
