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

/** The account list as far as it has come. */
type AccountList = 'reading' | 'unavailable' | AccountSections

/** What went wrong before the list was shown: what happened, and what to do. */
export interface Problem {
  readonly title?: string | undefined
  readonly failure: Failure
}

/** The one wallet modal (§2.7, §4.2); its steps are the statuses. */
export type State =
  | {
      step: 'Select'
      list: AccountList
      choosing?: AccountChoice | undefined
      /** The wallet that is to be verified as soon as the list says whose it is. */
      verifying?: string | undefined
      /** Whose wallet is to be connected as soon as the list can be read. */
      connecting?: Credentials | undefined
      problem?: Problem | undefined
    }
  /** `choice` is read first where only a token says whose wallet it is. */
  | { step: 'Connect'; chosen: Credentials; choice: AccountChoice | 'reading' | 'unknown' }
  /** Without a choice a new wallet is verified: any, or the one with the `intended` address. */
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

/** What the page hears of it. */
export type Result = { kind: 'success' } | { kind: 'closed' }

/** Pages that take over from the modal (§2.2). */
export type Page = 'create-wallet' | 'select-account'

/**
 * What it hears. `wallet` is the connected one at that moment, and `selected` the account of the stored token, which another
 * tab may have changed.
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
  | { type: 'newWalletAsked' }
  | { type: 'organizationAsked' }
  | { type: 'conversionAsked' }
  | { type: 'connected'; wallet: ConnectedWallet; selected?: Credentials | undefined }
  | { type: 'verification'; result: Verification }
  | { type: 'retried' }
  | { type: 'back' }
  | { type: 'closed' }

/** What it has done. */
export type Command =
  | { type: 'readAccounts' }
  | { type: 'selectAccount'; choice: AccountChoice }
  | { type: 'disconnect' }
  | { type: 'goTo'; page: Page }
  | { type: 'convert'; walletAddress: string }
  | { type: 'handBack'; result: Result }

/** What it begins with. */
export type Input = WalletOpening

type To = Next<State, Command>

const DISCONNECT: Command = { type: 'disconnect' }
const READ: Command = { type: 'readAccounts' }

/** Back to the list, which is read anew, without the wallet that was clicked. */
const select = (problem?: Problem): To => [
  { step: 'Select', list: 'reading', ...(problem && { problem }) },
  READ,
]

/** The wallet that a token speaks of; the list says more of it. */
const connect = (chosen: Credentials): To => [{ step: 'Connect', chosen, choice: 'reading' }, READ]

const leave = (result: Result): To => [
  { step: result.kind === 'success' ? 'Success' : 'left' },
  { type: 'handBack', result },
]

const close = (): To => leave({ kind: 'closed' })

const goTo = (page: Page): To => [{ step: 'left' }, { type: 'goTo', page }]

const otherWallet = (wanted: WantedWallet, came: ConnectedWallet): Problem => ({
  title: 'Another wallet connected',
  failure: { notices: [mismatchNotice(wanted, came), 'Please choose again.'] },
})

const NOT_YOURS: Problem = {
  title: 'This account is not in your list',
  failure: { notices: ['You cannot act for it. Please choose one of your accounts.'] },
}

const CHOSEN_ELSEWHERE: Problem = {
  title: 'You chose another account in another window',
  failure: { notices: ['Its wallet is connected. To act as somebody else here, choose again.'] },
}

const ALREADY_ATTACHED: Problem = {
  title: ERROR_CATALOGUE['wallet-already-attached'].message,
  failure: { notices: [NOTICES.selectWalletFromList] },
}

const MISSING_ADDR: Problem = {
  title: 'Choose the account to connect',
  failure: { notices: [ERROR_CATALOGUE['missing-addr-claim'].message] },
}

/** Chooses an account; the answer says whether its wallet is connected. */
const choose = (state: Extract<State, { step: 'Select' }>, choice: AccountChoice): To => [
  { step: 'Select', list: state.list, choosing: choice },
  { type: 'selectAccount', choice },
]

/** After a choice: the modal closes where the right wallet is connected; a wrong one is disconnected first. */
function connectTo(choice: AccountChoice, wallet: ConnectedWallet | undefined): To {
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

/** A 403: the old type is converted, any other wallet is verified; another one that is connected goes first. */
function forbid(choice: AccountChoice, wallet: ConnectedWallet | undefined): To {
  if (forbiddenChoice(choice.wallet.type) === 'Provenance') {
    return [{ step: 'Provenance', clicked: choice }]
  }
  const match = connectionMatch(wallet, { walletAddress: choice.wallet.address })
  return [{ step: 'Verify', clicked: choice }, ...(match === 'mismatch' ? [DISCONNECT] : [])]
}

/** A wallet that is new to the person; the one that is connected goes first, or it would be verified again. */
const verifyNew = (): To => [{ step: 'Verify', clicked: undefined }, DISCONNECT]

/** A wallet by its address, which the list does not have. */
function verifyIntended(intended: string, wallet: ConnectedWallet | undefined): To {
  const match = connectionMatch(wallet, { walletAddress: intended })
  return [
    { step: 'Verify', clicked: undefined, intended },
    ...(match === 'mismatch' ? [DISCONNECT] : []),
  ]
}

/** The first choice that a wallet signs for, its own account before any other. */
function walletOf(
  { individual, organizational }: AccountSections,
  walletAddress: string,
): AccountChoice | undefined {
  return [...individual, ...organizational].find(({ wallet }) => wallet.address === walletAddress)
}

/** A connected wallet that matches: the modal closes if the token already speaks of it (§4.2), else it is selected first. */
function settle(
  { chosen, choice }: Extract<State, { step: 'Connect' }>,
  selected: Credentials | undefined,
): To {
  if (selected !== undefined && isSame(selected, chosen)) return leave({ kind: 'success' })
  if (typeof choice === 'object') {
    return [
      { step: 'Select', list: 'reading', choosing: choice },
      { type: 'selectAccount', choice },
    ]
  }
  // An address that is not the user's yet has to be verified; nobody is added to a group by connecting.
  if (chosen.groupPolicyAddress === undefined) {
    return [{ step: 'Verify', clicked: undefined, intended: chosen.walletAddress }]
  }
  const [selecting, ...commands] = select(NOT_YOURS)
  return [selecting, DISCONNECT, ...commands]
}

const isSame = (one: Credentials, other: Credentials): boolean =>
  connectionMatch({ address: one.walletAddress, group: one.groupPolicyAddress }, other) ===
  'matches'

/** The account that the Connect screen names: by its name where the list has it. */
function wantedIn({ chosen, choice }: Extract<State, { step: 'Connect' }>): WantedWallet {
  return typeof choice === 'object'
    ? choice.account
    : { address: chosen.groupPolicyAddress ?? chosen.walletAddress }
}

/** The wallet that Verify asks for: the one of the clicked account, or the one with the intended address. */
export function wantedToVerify({
  clicked,
  intended,
}: Extract<State, { step: 'Verify' }>): WantedWallet | undefined {
  if (clicked !== undefined) return clicked.wallet
  return intended === undefined ? undefined : { address: intended }
}

/** Where a reload starts again: at the same step, as far as it is more than a choice. */
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

/** The choice that a token speaks of, where the list has it. */
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

function verified(clicked: AccountChoice | undefined): To {
  // An attached wallet acts for itself: an organization that it signs for has to be chosen once more.
  return clicked === undefined || clicked.wallet.authorizationType === 'Owner'
    ? leave({ kind: 'success' })
    : [
        { step: 'Select', list: 'reading', choosing: clicked },
        { type: 'selectAccount', choice: clicked },
      ]
}

/** The table of the modal. */
export const walletModal = flow<State, Event, Command, Input>({
  name: 'wallet-modal',
  begin: (opening) => {
    if (opening.section === 'Connect') return connect(opening.chosen)
    if (opening.section === 'Verify') {
      const { walletAddress } = opening
      if (walletAddress === undefined) return verifyNew()
      return [{ step: 'Select', list: 'reading', verifying: walletAddress }, READ]
    }
    return select('fault' in opening ? MISSING_ADDR : undefined)
  },
  failed: { type: 'refused', failure: UNEXPECTED },
  on: {
    Select: {
      accountsRead: ({ verifying, ...state }, { items, wallet }) => {
        if (items.length === 0) return goTo('create-wallet')
        const list = accountSections(items)
        if (verifying === undefined) return [{ ...state, list }]
        const meant = walletOf(list, verifying)
        if (meant === undefined) return verifyIntended(verifying, wallet)
        return meant.wallet.verified ? [{ ...state, list }] : forbid(meant, wallet)
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
      newWalletAsked: verifyNew,
      organizationAsked: () => goTo('select-account'),
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
        // All tabs share one token and one connection: this tab must not take away what another one has just made.
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
      conversionAsked: (state) => [
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
