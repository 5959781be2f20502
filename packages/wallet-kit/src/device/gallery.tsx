/** The screens of a wallet on a device in fixed states, for the gallery. */

import '@portico/contracts/refusal-sentences'
import type { Proposal } from '@portico/chain-client/proposals'
import type { ErrorCode } from '@portico/contracts/errors'
import { Refusal } from '@portico/contracts/errors'
import { failureOf } from '@portico/shell/failure-of'
import { Button } from '@portico/ui/button'
import type { ReactNode } from 'react'
import { connecting, sending, signing, transfer } from '../approval/approval.samples.ts'
import { ApprovalView } from '../approval/approval.view.tsx'
import type { Decision } from '../approval-prompt.ts'
import type { ConnectedSite, HistoryEntry, VaultState } from '../device-wallet.ts'
import type { WalletAccount } from '../key-keeper.ts'
import { Screen } from '../screen.tsx'
import { AccountNameForm } from './accounts/account-name-form.tsx'
import { DeviceAccounts } from './accounts/device-accounts.tsx'
import { Activity } from './activity/activity.tsx'
import { DamagedVault } from './damaged-vault.tsx'
import type { State } from './device-wallet.flow.ts'
import { DeviceWalletView } from './device-wallet.view.tsx'
import { type DeviceEnvironment, DeviceEnvironmentContext } from './environment.ts'
import { deviceGroupsEnvironment } from './groups/device-groups-environment.ts'
import { GroupDetails } from './groups/group.tsx'
import { Groups } from './groups/groups.tsx'
import { GroupsEnvironmentContext } from './groups/groups-environment.ts'
import { ProposalDetails } from './groups/proposal.tsx'
import { aProposal, fakeGroups, GROUP, unreadable } from './groups/testing.ts'
import { NewerVault } from './newer-vault.tsx'
import type { State as OnboardingState } from './onboarding/onboarding.flow.ts'
import { WORDS } from './onboarding/onboarding.samples.ts'
import { OnboardingView } from './onboarding/onboarding.view.tsx'
import { RecoveryWords } from './recovery-words.tsx'
import { RemoveWallet } from './remove-wallet.tsx'
import { ChangePassphrase } from './settings/change-passphrase.tsx'
import { IdleLock } from './settings/idle-lock.tsx'
import { PasskeySetting } from './settings/passkey-setting.tsx'
import { RevealWords } from './settings/reveal-words.tsx'
import { Settings } from './settings/settings.tsx'
import { Disconnect, Sites } from './sites/sites.tsx'
import { type FakeDevice, fakeDevice } from './testing.ts'
import { WalletFrame } from './wallet-frame.tsx'

const noop = () => undefined

const LONG_NAME = 'Maximiliane Hohenstein-Langenberg, second home'

const ACCOUNTS: readonly WalletAccount[] = [
  {
    name: 'Everyday',
    address: 'tp1knsxfnn0lq48mmnkfnkgtkk8qnxxdu0y2tklkh',
    publicKey: '',
    verified: true,
    groups: [
      { name: 'Larch Partners', address: 'tp1q8q0z0w0j7a2zq5n2v3e5l3h9u8' },
      { name: 'Harborline Homeowners Association', address: 'tp1q9q0z0w0j7a2zq5n2v3e5l3h9u8' },
    ],
  },
  {
    name: LONG_NAME,
    address: 'tp13dkh6lhe5zzfe4qwkl4fqyfmh58p35w5qaxwxy',
    publicKey: '',
    verified: false,
    groups: [],
  },
]

const EVERYDAY = { name: 'Everyday', address: 'tp1knsxfnn0lq48mmnkfnkgtkk8qnxxdu0y2tklkh' }
const LARCH = { name: 'Larch Partners', address: 'tp1q8q0z0w0j7a2zq5n2v3e5l3h9u8' }

/** Noon in UTC, so that the date is the same in most time zones. */
const AT = Date.UTC(2026, 10, 23, 12)
const DAY_MS = 86_400_000

const SITES: readonly ConnectedSite[] = [
  {
    id: 'lender',
    origin: 'https://lender.example',
    claimedName: 'Figure',
    claimedUrl: 'https://lender.example',
    acting: { account: EVERYDAY, group: LARCH },
    connectedAt: AT,
    expiresAt: AT + DAY_MS,
  },
  {
    id: 'scanned',
    origin: undefined,
    claimedName: 'Harborline \u202eegagtroM',
    claimedUrl: 'https://harborline-mortgage.example/dashboard',
    acting: { account: EVERYDAY, group: null },
    connectedAt: AT,
    expiresAt: AT + DAY_MS,
  },
]

const HISTORY: readonly HistoryEntry[] = [
  {
    id: 'sent',
    at: AT,
    origin: 'https://lender.example',
    acting: { account: EVERYDAY, group: LARCH },
    effect: 'Send 25 hash to Larch Partners',
    decision: { kind: 'send', how: 'agreed' },
    txhash: 'C0FFEE254A1F3B7D90E26C8F5D4B3A29180706F5E4D3C2B1A09F8E7D6C5B4A39',
  },
  {
    id: 'failed',
    at: AT - DAY_MS,
    origin: undefined,
    acting: { account: EVERYDAY, group: null },
    effect: 'Send 9,000 hash to tp13d...axwxy',
    decision: { kind: 'send', how: 'failed' },
    txhash: 'DEADBEEF4A1F3B7D90E26C8F5D4B3A29180706F5E4D3C2B1A09F8E7D6C5B4A39',
  },
  {
    id: 'unknown',
    at: AT - DAY_MS,
    origin: 'https://lender.example',
    acting: { account: EVERYDAY, group: null },
    effect: 'Send 1 hash to Larch Partners',
    decision: { kind: 'send', how: 'unknown' },
    txhash: null,
  },
  {
    id: 'rejected',
    at: AT - 2 * DAY_MS,
    origin: 'https://lender.example',
    acting: { account: EVERYDAY, group: null },
    effect: 'Sign a message',
    decision: { kind: 'sign', how: 'refused' },
    txhash: null,
  },
]

const FULL: FakeDevice = {
  vault: { passphrase: '', words: WORDS.join(' ') },
  accounts: ACCOUNTS,
  sites: SITES,
  history: HISTORY,
}

const LOCKED = { step: 'locked', hasPasskey: false, retryAt: null } as const
const UNLOCKED = { step: 'unlocked', hasPasskey: false, idleMinutes: 15 } as const

const BALANCES = new Map(
  ACCOUNTS.map(({ address }, index) => [address, ['1,204.5 hash', '0 hash'][index] ?? '']),
)

function inEnvironment(
  content: ReactNode,
  device: FakeDevice,
  changes?: Partial<DeviceEnvironment>,
) {
  const { environment } = fakeDevice(device)
  return (
    <DeviceEnvironmentContext
      value={{ ...environment, clock: () => AT, balances: async () => BALANCES, ...changes }}
    >
      <GroupsEnvironmentContext
        value={deviceGroupsEnvironment({ ...environment, clock: () => AT })}
      >
        {content}
      </GroupsEnvironmentContext>
    </DeviceEnvironmentContext>
  )
}

/** A screen without tabs. */
const framed = (brand: string, content: ReactNode, device = FULL) =>
  inEnvironment(<WalletFrame brand={brand}>{content}</WalletFrame>, device)

const onboarding = (brand: string, state: OnboardingState) =>
  framed(brand, <OnboardingView state={state} send={noop} copy={async () => true} />, {})

function wallet(
  brand: string,
  state: State,
  {
    device = FULL,
    content,
    tab = 'accounts',
    changes,
    onClose,
  }: {
    device?: FakeDevice
    /** Replaces what the tab shows. */
    content?: ReactNode
    tab?: keyof typeof TABS
    changes?: Partial<DeviceEnvironment>
    onClose?: () => void
  } = {},
) {
  return inEnvironment(
    <DeviceWalletView
      state={state}
      send={noop}
      currentRequest={{ commit: async () => true, release: noop }}
      brand={brand}
      tabs={Object.values(TABS).map((each) => ({
        ...each,
        content: each.name === tab ? content : null,
      }))}
      firstTab={tab}
      onLock={noop}
      onClose={onClose}
      onReturn={noop}
    />,
    device,
    changes,
  )
}

const TABS = {
  accounts: { name: 'accounts', label: 'Accounts', icon: 'wallet' },
  sites: { name: 'sites', label: 'Sites', icon: 'globe' },
  groups: { name: 'groups', label: 'Groups', icon: 'house' },
  activity: { name: 'activity', label: 'Activity', icon: 'clock' },
  settings: { name: 'settings', label: 'Settings', icon: 'settings' },
} as const

const refused = (code: ErrorCode) => failureOf(new Refusal(code))

/** How a request ended. */
const decided = (decision: Decision) => (brand: string) =>
  wallet(brand, {
    step: 'decided',
    decision,
    answeredId: '',
    now: {
      vault: UNLOCKED,
      prompt: undefined,
      waiting: 0,
      decided: undefined,
      pageReturn: undefined,
    },
    isContinuing: false,
  })

/** A transaction with a message that the wallet cannot decode. */
const unknownMessage: typeof transfer = {
  ...transfer,
  effect: 'Send a message this wallet does not recognize',
  amount: null,
  total: null,
  messages: [
    {
      level: 0,
      typeUrl: '/provenance.exchange.v1.MsgCommitFundsRequest',
      title: 'A message this wallet does not recognize',
      understood: false,
      fields: [],
    },
  ],
}

/** A transaction whose fee the page has set far above the network's price. */
const highFee: typeof transfer = {
  ...transfer,
  total: '931.381 hash',
  fee: '906.381 hash',
  usualFee: '0.381 hash',
}

/** A tab of the unlocked wallet. */
const tabOf =
  (
    tab: keyof typeof TABS,
    content: ReactNode,
    options: { device?: FakeDevice; changes?: Partial<DeviceEnvironment>; isNew?: boolean } = {},
  ) =>
  (brand: string) =>
    wallet(
      brand,
      { step: 'home', vault: UNLOCKED, isNew: options.isNew ?? false },
      { tab, content, ...options },
    )

const PROTECTION = { passphrase: 'larch window seven river', accountName: 'Everyday' }
const TWELVE = WORDS.slice(0, 12)
const READ = { endSeen: true, riskAccepted: false, feeAccepted: false }

const approving =
  (state: Parameters<typeof ApprovalView>[0]['state'], waiting = 1) =>
  (brand: string) =>
    framed(brand, <ApprovalView state={state} send={noop} waiting={waiting} unlock={() => null} />)

const act = (
  words: Extract<
    Parameters<typeof ApprovalView>[0]['state'],
    { details: { kind: 'act' } }
  >['details'],
) => words

const UNVERIFIED = {
  origin: undefined,
  claimed: { name: 'Harborline \u202eegagtroM', url: 'https://harborline-mortgage.example' },
}

const locked =
  (vault: Extract<VaultState, { step: 'locked' }>, isWaiting = false) =>
  (brand: string) =>
    wallet(brand, {
      step: 'locked',
      vault,
      prompt: isWaiting ? signing : undefined,
      waiting: isWaiting ? 1 : 0,
    })

const VOTED = aProposal(AT, {
  id: '11',
  members: aProposal(AT).members.map((member) => ({ ...member, vote: 'yes' })),
  tally: { yes: '3', no: '0', abstain: '0', noWithVeto: '0' },
})

const proposal = (shown: Proposal) => (
  <ProposalDetails
    id={shown.id}
    reader={fakeGroups([shown])}
    accounts={ACCOUNTS}
    onBack={noop}
    onRequest={noop}
  />
)

/** The screens by their gallery name, with the lender's name as brand. */
export const DEVICE_SCREENS = {
  'device-welcome': (brand) => onboarding(brand, { step: 'welcome' }),
  'device-passphrase': (brand) => onboarding(brand, { step: 'protecting' }),
  'device-words-hidden': (brand) =>
    onboarding(brand, { step: 'writing', protection: PROTECTION, words: TWELVE, isShown: false }),
  'device-words': (brand) =>
    onboarding(brand, { step: 'writing', protection: PROTECTION, words: WORDS, isShown: true }),
  'device-words-check': (brand) =>
    onboarding(brand, {
      step: 'checking',
      protection: PROTECTION,
      words: TWELVE,
      positions: [1, 6, 10],
      wrongAttempts: 0,
    }),
  'device-words-wrong': (brand) =>
    onboarding(brand, {
      step: 'checking',
      protection: PROTECTION,
      words: TWELVE,
      positions: [0, 4, 11],
      wrongAttempts: 1,
    }),
  'device-creating': (brand) =>
    onboarding(brand, {
      step: 'saving',
      protection: PROTECTION,
      words: TWELVE,
      from: {
        step: 'checking',
        protection: PROTECTION,
        words: TWELVE,
        positions: [0, 4, 11],
        wrongAttempts: 0,
      },
    }),
  'device-restore': (brand) => onboarding(brand, { step: 'entering', words: '' }),
  'device-restore-wrong': (brand) =>
    onboarding(brand, {
      step: 'entering',
      words: TWELVE.join(' ').replace('bunker', 'bunkr'),
      problem: { kind: 'unknown', words: [{ number: 3, word: 'bunkr' }] },
    }),
  'device-locked': locked(LOCKED),
  'device-locked-passkey': locked({ ...LOCKED, hasPasskey: true }),
  'device-locked-wait': locked({ ...LOCKED, retryAt: AT + 65_000 }),
  'device-locked-request': locked(LOCKED, true),
  'device-forgotten': (brand) =>
    framed(
      brand,
      <RemoveWallet
        title="Forgot your passphrase?"
        reason="Without the passphrase this wallet cannot be opened. Remove it from this device, then restore it from your recovery words with a new passphrase."
        onBack={noop}
      />,
    ),
  'device-damaged': (brand) => framed(brand, <DamagedVault onRetry={noop} />),
  'device-newer': (brand) => framed(brand, <NewerVault onRetry={noop} onRemoved={noop} />),
  'device-storage-full': (brand) =>
    onboarding(brand, {
      step: 'protectingRestored',
      words: TWELVE,
      protection: PROTECTION,
      failure: refused('storage-unavailable'),
    }),
  'device-accounts': tabOf('accounts', <DeviceAccounts isNew={false} />),
  'device-accounts-new': tabOf('accounts', <DeviceAccounts isNew />, {
    device: { ...FULL, accounts: ACCOUNTS.slice(0, 1) },
  }),
  'device-accounts-offline': tabOf('accounts', <DeviceAccounts isNew={false} />, {
    changes: { balances: () => Promise.reject(new Refusal('chain-not-available')) },
  }),
  'device-accounts-funds': tabOf('accounts', <DeviceAccounts isNew={false} />, {
    changes: { balances: async () => new Map(), requestFunds: async () => undefined },
  }),
  'device-account-rename': tabOf(
    'accounts',
    ACCOUNTS[1] && (
      <AccountNameForm form={{ kind: 'rename', account: ACCOUNTS[1] }} onDone={noop} />
    ),
  ),
  'device-account-create': tabOf(
    'accounts',
    <AccountNameForm form={{ kind: 'create', number: 3 }} onDone={noop} />,
  ),
  'device-sites': tabOf('sites', <Sites />),
  'device-sites-empty': tabOf('sites', <Sites />, { device: { ...FULL, sites: [] } }),
  'device-site-disconnect': tabOf(
    'sites',
    SITES[1] && <Disconnect site={SITES[1]} onDone={noop} />,
  ),
  'device-groups': tabOf(
    'groups',
    <Groups reader={fakeGroups([aProposal(AT), unreadable(AT), VOTED])} />,
  ),
  'device-groups-empty': tabOf('groups', <Groups reader={fakeGroups([], [])} />),
  'device-groups-offline': tabOf(
    'groups',
    <Groups
      reader={{
        ...fakeGroups([]),
        listGroups: () => Promise.reject(new Refusal('chain-not-available')),
      }}
    />,
  ),
  'device-proposal': tabOf('groups', proposal(aProposal(AT))),
  'device-proposal-unreadable': tabOf('groups', proposal(unreadable(AT))),
  'device-proposal-failed': tabOf(
    'groups',
    proposal({
      ...VOTED,
      status: 'failed',
      log: 'spendable balance 5nhash is smaller than 25000000000nhash: insufficient funds',
    }),
  ),
  'device-group': tabOf(
    'groups',
    <GroupDetails group={GROUP} accounts={ACCOUNTS} onBack={noop} onRequest={noop} />,
  ),
  'device-activity': tabOf('activity', <Activity />),
  'device-activity-empty': tabOf('activity', <Activity />, { device: { ...FULL, history: [] } }),
  'device-settings': tabOf('settings', <Settings vault={UNLOCKED} />),
  'device-idle-lock': tabOf('settings', <IdleLock minutes={15} onDone={noop} />),
  'device-change-passphrase': tabOf('settings', <ChangePassphrase onDone={noop} />),
  'device-reveal-words': tabOf('settings', <RevealWords onDone={noop} />),
  'device-revealed-words': tabOf(
    'settings',
    <Screen title="Your recovery words" actions={<Button>Done</Button>}>
      <RecoveryWords words={TWELVE} isShown copy={async () => true} />
    </Screen>,
  ),
  'device-passkey': tabOf('settings', <PasskeySetting hasPasskey={false} onDone={noop} />),
  'device-passkey-remove': tabOf('settings', <PasskeySetting hasPasskey onDone={noop} />),
  'device-remove': tabOf('settings', <RemoveWallet title="Remove this wallet?" onBack={noop} />),
  'device-connect': approving({
    step: 'asking',
    prompt: { ...connecting, ...UNVERIFIED },
    details: { kind: 'connect', chosen: connecting.choices[0] },
    review: READ,
  }),
  'device-sign': approving(
    {
      step: 'asking',
      prompt: signing,
      details: act({
        kind: 'act',
        approvalId: 'approval',
        words: { kind: 'text', text: 'I agree to the terms of November 23, 2026.' },
        proof: null,
      }),
      review: READ,
    },
    3,
  ),
  'device-send': approving({
    step: 'asking',
    prompt: sending,
    details: act({ kind: 'act', approvalId: 'approval', words: transfer, proof: null }),
    review: READ,
  }),
  'device-high-fee': approving({
    step: 'asking',
    prompt: sending,
    details: act({ kind: 'act', approvalId: 'approval', words: highFee, proof: null }),
    review: READ,
  }),
  'device-unreadable': approving({
    step: 'asking',
    prompt: sending,
    details: act({ kind: 'act', approvalId: 'approval', words: unknownMessage, proof: null }),
    review: READ,
  }),
  'device-refused': approving({
    step: 'stopped',
    prompt: sending,
    failure: refused('insufficient-funds'),
  }),
  'device-outcome-unknown': approving({
    step: 'outcomeUnknown',
    prompt: sending,
    failure: refused('transaction-unconfirmed'),
  }),
  'device-votes': decided({ kind: 'send', how: 'proposed' }),
  'device-withdrawn': decided({ kind: 'sign', how: 'withdrawn' }),
  'device-failed': decided({ kind: 'send', how: 'failed' }),
  'device-waiting': (brand) =>
    wallet(brand, { step: 'home', vault: UNLOCKED, isNew: false }, { onClose: noop }),
  'device-decided': (brand) =>
    wallet(brand, {
      step: 'decided',
      decision: { kind: 'send', how: 'agreed' },
      answeredId: '',
      now: {
        vault: UNLOCKED,
        prompt: undefined,
        waiting: 0,
        decided: undefined,
        pageReturn: { kind: 'allowed', url: 'https://lender.example/dashboard' },
      },
      isContinuing: false,
    }),
  'device-stopped': (brand) =>
    wallet(brand, {
      step: 'stopped',
      failure: { notices: ['The wallet did not respond. Please try again.'] },
    }),
} as const satisfies Readonly<Record<string, (brand: string) => ReactNode>>
