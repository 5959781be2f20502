import type { ChainNode } from '@portico/chain-client/chain'
import type { Transaction } from '@portico/chain-client/transfers'
import type { SecurityOverview } from '@portico/contracts/account-security'
import { ERROR_CATALOG } from '@portico/contracts/error-catalog'
import type { GALLERY_SCREENS } from '@portico/contracts/gallery'
import { DEFAULT_REDIRECT } from '@portico/contracts/limits'
import type { PageData } from '@portico/contracts/page-data'
import type { Passport, PassportSummary } from '@portico/contracts/passport'
import type { Review, ReviewItem } from '@portico/contracts/passport-review'
import { ConfirmationView } from '@portico/shell/confirmation-view'
import { UNEXPECTED } from '@portico/shell/failure'
import { ViewingStrip } from '@portico/shell/viewing-strip'
import { Dialog } from '@portico/ui/dialog'
import { Stack } from '@portico/ui/stack'
import { type ReactNode, useEffect } from 'react'
import { AccountSwitcher } from '../account-switcher/account-switcher.tsx'
import { AccountsView } from '../accounts/accounts.tsx'
import type { Accounts } from '../accounts.ts'
import { type ActingAccount, ActingAccountContext } from '../acting-account/acting-account.tsx'
import { ActivityView, Events } from '../activity/activity.tsx'
import { AuthenticatorKey } from '../authenticator/authenticator.tsx'
import { EnvironmentContext } from '../environment.ts'
import { HomeView, type HomeViewProps } from '../home/home.tsx'
import { InvitationsView } from '../invitations/invitations.tsx'
import { NotFound } from '../not-found/not-found.tsx'
import { Evidence, UploadView } from '../passport/evidence.tsx'
import type { Draft } from '../passport/fill-in.flow.ts'
import { FillInView, formSteps } from '../passport/fill-in.view.tsx'
import { LandingView } from '../passport/landing.tsx'
import type { State as UploadState } from '../passport/upload-file.flow.ts'
import { file as EVIDENCE } from '../passport/upload-file.samples.ts'
import { PaymentHistory } from '../payment-history/payment-history.tsx'
import { PhoneCode } from '../phone/phone.tsx'
import { QuestionsForm } from '../questions/questions.tsx'
import { NewCodes } from '../recovery-codes/recovery-codes.tsx'
import { ItemsView, QueueView } from '../reviews/queue.tsx'
import { DecisionDialog, ReviewView } from '../reviews/review.tsx'
import {
  ACCOUNTS_PATH,
  ACTIVITY_PATH,
  PASSPORT_PATH,
  REVIEWS_PATH,
  reviewPath,
  SECURITY_PATH,
  transactionPath,
  WALLET_PATH,
} from '../routes.ts'
import { Changes } from '../security/changes.tsx'
import type { SelectedChange } from '../security/security.flow.ts'
import { overview } from '../security/security.samples.ts'
import { SecurityView } from '../security/security.view.tsx'
import { serverEnvironment } from '../server-environment.ts'
import { ConnectionNotice } from '../signed-in/connection-notice.tsx'
import { SignedInView } from '../signed-in/signed-in.tsx'
import { TransactionView } from '../transaction/transaction.tsx'
import { WalletView } from '../wallet/wallet.tsx'
import { Payments } from '../wallet-card/payments.tsx'
import type { Outcome } from '../wallet-card/wallet-card.flow.ts'
import { WalletCardView } from '../wallet-card/wallet-card.view.tsx'

const ADDRESS = 'tp1knsxfnn0lq48mmnkfnkgtkk8qnxxdu0y2tklkh'
const EMAIL = 'maximiliane.hohenstein@longest-mail-domain.example'

const { client } = serverEnvironment

/** Event handler for gallery screens, which do not react to input. */
const nothing = () => undefined

const OVERVIEW: SecurityOverview = {
  ...overview,
  aliases: overview.aliases.map((alias) =>
    alias.type === 'Email' ? { ...alias, value: EMAIL } : alias,
  ),
}

const SIGNER = {
  address: ADDRESS,
  name: 'Everyday',
  type: 'FIGURE',
  authorizationType: 'Owner',
  verified: true,
} as const

const LARCH = 'tp1nhhq3j9yu3uqvmz8k0k4vsfd8eu60q2rcrlss2'

const EVERYDAY = { account: { name: 'Everyday', address: ADDRESS }, authorizedWallets: [SIGNER] }

const ITEMS: Accounts['items'] = [
  EVERYDAY,
  {
    account: { name: 'Savings', address: 'tp13dkh6lhe5zzfe4qwkl4fqyfmh58p35w5qaxwxy' },
    authorizedWallets: [{ ...SIGNER, name: 'Savings', verified: false }],
  },
  {
    account: { name: 'Larch Partners', address: LARCH },
    authorizedWallets: [{ ...SIGNER, authorizationType: 'Group' }],
  },
  {
    account: {
      name: 'Hohenstein, Langenberg and Daughters Family Partners',
      address: 'tp1zyxwvut98765qpzry9x8gf2tvdw0s3jn54khc2',
    },
    authorizedWallets: [{ ...SIGNER, authorizationType: 'Shared' }],
  },
]

const ACTING: Accounts = {
  items: ITEMS,
  acting: {
    account: { name: 'Larch Partners', address: LARCH },
    authorizedWallet: { ...SIGNER, authorizationType: 'Group' },
  },
}

const actingAs = (accounts: Accounts | undefined, failed = false): ActingAccount => ({
  accounts,
  failure: failed ? UNEXPECTED : undefined,
  retry: nothing,
  choosing: undefined,
  reload: nothing,
  switches: 0,
  choose: nothing,
})

const INVITATIONS = [
  {
    name: 'Willow Partners',
    address: 'tp1hqy40zk9dxzfw7l6tz8s8v3h3mrm0q0hcjv9ys',
    declined: false,
  },
  { name: 'Aspen Ventures', address: 'tp1dkv9uyq8kvaunj0fwzdh4c2k0cx4ykq9mksuv2', declined: true },
].map(({ declined, ...account }) => ({
  account,
  wallet: { name: 'Everyday', address: ADDRESS },
  invitedAt: 0,
  declined,
}))

const PASSPORT = {
  passportUuid: '6f0d9f5e-3b0c-4a7e-9c53-0d5f0a6f4f11',
  passportStructureType: 'INDIVIDUAL',
  ownerWalletAddress: ADDRESS,
  status: {
    kycStatus: 'PENDING',
    attestationStatus: 'IN_PROGRESS',
    attestationVerificationStatus: 'UNKNOWN_STATUS',
  },
  access: 'owner',
  sections: [
    {
      section: 'kyc',
      status: 'PENDING',
      version: 7,
      savedAt: 1_893_456_000_000,
      answers: {
        firstName: 'Maximiliane',
        lastName: 'Hohenstein-Wittgenstein',
        birthDate: '1984-02-29',
        phone: '(201) 555-0123',
        country: 'US',
        street: '1 Harbor Street',
        city: 'Portland',
        taxId: '•••••6789',
      },
    },
  ],
  members: [],
  files: [],
  history: [{ at: 1_893_456_000_000, section: 'kyc', event: 'submitted', reason: null }],
} as const satisfies Passport

const PASSPORT_STEPS = formSteps(['kyc', 'self-attestation'], 'INDIVIDUAL')

const passport = (page: PageData, shown: Passport | undefined) =>
  signedIn(
    page,
    PASSPORT_PATH,
    <EnvironmentContext value={serverEnvironment}>
      <LandingView
        passport={shown}
        others={[]}
        task={{
          sections: ['kyc', 'self-attestation'],
          open: ['self-attestation'],
          edits: undefined,
          continueAt: '/account',
          leaveAt: '/account',
        }}
        supportPhone={page.supportPhone}
      />
    </EnvironmentContext>,
  )

const RETURNED_ENTRY = {
  at: 1_893_628_800_000,
  section: 'kyc',
  event: 'returned',
  reason:
    'Please enter your second first name as it is on your ID, and the address where you live now.',
} as const

const RETURNED_PASSPORT = {
  ...PASSPORT,
  status: { ...PASSPORT.status, kycStatus: 'IN_PROGRESS' },
  sections: PASSPORT.sections.map((section) => ({ ...section, status: 'IN_PROGRESS' as const })),
  history: [...PASSPORT.history, RETURNED_ENTRY],
  decisions: [RETURNED_ENTRY],
} satisfies Passport & PassportSummary

const REVIEWED_AT = 1_893_801_600_000

const REVIEW: Review = {
  passportUuid: PASSPORT.passportUuid,
  section: 'kyc',
  passportStructureType: 'INDIVIDUAL',
  organizationCode: 'FIGURE',
  ownerWalletAddress: ADDRESS,
  name: 'Maximiliane Hohenstein-Wittgenstein',
  status: 'PENDING',
  submittedAt: 1_893_715_200_000,
  version: 4,
  savedAt: 1_893_715_200_000,
  isWaiting: true,
  creatorEmail: EMAIL,
  answers: {
    firstName: 'Maximiliane',
    lastName: 'Hohenstein-Wittgenstein',
    birthDate: '1984-02-29',
    phone: '(201) 555-0123',
    country: 'US',
    street: '1 Harbor Street',
    city: 'Portland',
    region: 'ME',
    postalCode: '04101',
    citizenship: 'US',
    taxId: '123-45-6789',
  },
  members: [],
  files: [],
  sections: [
    { section: 'kyc', status: 'PENDING' },
    { section: 'self-attestation', status: 'VALID' },
  ],
  history: [
    { at: 1_893_456_000_000, section: 'kyc', event: 'submitted', reason: null, by: EMAIL },
    { ...RETURNED_ENTRY, by: 'rita.reviewer@portico.example' },
    { at: 1_893_715_200_000, section: 'kyc', event: 'submitted', reason: null, by: EMAIL },
  ],
}

const EVIDENCE_REVIEW: Review = {
  ...REVIEW,
  section: 'attestation-verification',
  answers: {},
  history: REVIEW.history.map((entry) => ({
    ...entry,
    section: 'attestation-verification' as const,
  })),
  files: [
    {
      fileUuid: '8f0d9f5e-3b0c-4a7e-9c53-0d5f0a6f4f11',
      name: 'Statement of the brokerage account of Maximiliane Hohenstein-Wittgenstein 2029.pdf',
      bytes: 1_840_000,
      receivedBytes: 1_840_000,
      type: 'application/pdf',
      addedAt: 1_893_456_000_000,
      modifiedAt: 1_893_456_000_000,
    },
  ],
}

const DECIDED_REVIEW: Review = {
  ...REVIEW,
  status: 'VALID',
  isWaiting: false,
  history: [
    ...REVIEW.history,
    {
      at: REVIEWED_AT,
      section: 'kyc',
      event: 'approved',
      reason: null,
      by: 'rolf.reviewer@portico.example',
    },
  ],
}

const REVIEW_ITEMS: readonly ReviewItem[] = [
  REVIEW,
  { ...REVIEW, section: 'self-attestation' },
  {
    ...REVIEW,
    passportUuid: '7f0d9f5e-3b0c-4a7e-9c53-0d5f0a6f4f11',
    passportStructureType: 'ENTITY',
    name: 'Hohenstein, Langenberg and Daughters Family Partners',
    section: 'attestation-verification',
    submittedAt: 1_893_794_400_000,
  },
]

const reviewQueue = (
  page: PageData,
  shown: { items?: readonly ReviewItem[]; failure?: typeof UNEXPECTED },
) =>
  signedIn(
    page,
    REVIEWS_PATH,
    <QueueView
      filter={{ state: 'waiting', organizationCode: undefined }}
      summary={
        shown.items && {
          counts: { waiting: shown.items.length, 'with-investor': 4, approved: 120, denied: 3 },
          organizations: [
            { organizationCode: 'FIGURE', name: 'Figure' },
            { organizationCode: 'HARBORLINE', name: 'Harborline' },
          ],
        }
      }
      onFilter={nothing}
    >
      <ItemsView
        state="waiting"
        items={shown.items}
        now={REVIEWED_AT}
        failure={shown.failure}
        supportPhone={page.supportPhone}
        onRetry={shown.failure && nothing}
        onMore={shown.items?.length ? nothing : undefined}
        isLoadingMore={false}
      />
    </QueueView>,
    { isReviewer: true },
  )

const review = (page: PageData, shown: Review) =>
  signedIn(
    page,
    reviewPath(shown),
    <EnvironmentContext value={serverEnvironment}>
      <ReviewView
        review={shown}
        now={REVIEWED_AT}
        isOutdated={!shown.isWaiting}
        onDecide={nothing}
      />
    </EnvironmentContext>,
    { isReviewer: true },
  )

/** The forms of the passport at a page. */
const passportForm = (
  page: PageData,
  at: number,
  {
    steps = PASSPORT_STEPS,
    drafts = DRAFTS,
    evidence,
  }: { steps?: typeof PASSPORT_STEPS; drafts?: readonly Draft[]; evidence?: ReactNode } = {},
) =>
  signedIn(
    page,
    PASSPORT_PATH,
    <FillInView
      state={{ step: 'saved', drafts }}
      send={nothing}
      type="INDIVIDUAL"
      steps={steps}
      at={at}
      onStep={nothing}
      canSubmit
      onReload={nothing}
      evidence={evidence}
      fileNames={[]}
      isUploading={false}
      time={() => '10:42'}
      now={1_893_456_000_000}
      supportPhone={page.supportPhone}
    />,
  )

const EVIDENCE_STEPS = formSteps(['attestation-verification'], 'INDIVIDUAL')

const draftOf = (
  section: Draft['section'],
  answers: Draft['answers'],
  savedAt: number | undefined,
): Draft => ({ section, version: 7, answers, savedAt, unsaved: {}, conflicts: {} })

const [{ answers: ANSWERS, savedAt: SAVED_AT }] = PASSPORT.sections

const DRAFTS = [
  draftOf('kyc', ANSWERS, SAVED_AT),
  draftOf('attestation-verification', {}, undefined),
]

const COMPLETE_DRAFTS = [
  draftOf('kyc', { ...ANSWERS, region: 'ME', postalCode: '04101', citizenship: 'US' }, SAVED_AT),
  draftOf('self-attestation', { accreditation: 'income', truthful: 'yes' }, SAVED_AT),
]

/** Evidence in each state. */
const evidence = ({ supportPhone }: PageData) => (
  <EnvironmentContext value={serverEnvironment}>
    <Evidence
      passportUuid={PASSPORT.passportUuid}
      files={[
        { ...EVIDENCE, name: 'Steuerbescheid der Familie Hohenstein-Wittgenstein für 2029.pdf' },
        { ...EVIDENCE, fileUuid: `${EVIDENCE.fileUuid} 2`, type: null, receivedBytes: 120_000 },
      ]}
      onFiles={nothing}
      onSection={nothing}
      onUploads={nothing}
      supportPhone={supportPhone}
    />
    <ul>
      {UPLOADS.map((state) => (
        <UploadView
          key={state.step}
          name="Letter of the accountant.pdf"
          bytes={8_000_000}
          state={state}
          supportPhone={supportPhone}
          onContinue={nothing}
          onCancel={nothing}
          onClose={nothing}
        />
      ))}
    </ul>
  </EnvironmentContext>
)

const UPLOADS: readonly UploadState[] = [
  { step: 'sending', fileUuid: undefined, receivedBytes: 3_000_000 },
  {
    step: 'interrupted',
    fileUuid: undefined,
    receivedBytes: 5_000_000,
    failure: {
      notices: ['Error fetching'],
      advice: 'We could not reach the server. Check your connection, then try again.',
      reason: 'unreachable',
    },
  },
  {
    step: 'refused',
    failure: { notices: [ERROR_CATALOG['file-has-active-content'].message] },
  },
]

const VIEWING = {
  sessionUuid: '7c9e6679-7425-40de-944b-e07fc1f90ae7',
  identityUuid: '3f333df6-90a4-4fda-8dd3-9485d27cee36',
  operatorEmail: 'bartholomew.featherstonehaugh@customer-care.longest-mail-domain.example',
  secondsLeft: 1799,
}

/** A signed-in page at its path; `acting` is the account in the header. */
function signedIn(
  page: PageData,
  path: string,
  content: ReactNode,
  {
    acting = actingAs(ACTING),
    notice,
    isReviewer = false,
    isViewed = false,
  }: {
    acting?: ActingAccount
    notice?: ReactNode
    isReviewer?: boolean
    /** As viewed by an operator. */
    isViewed?: boolean
  } = {},
) {
  return (
    <ActingAccountContext value={acting}>
      <SignedInView
        page={page}
        session={{
          email: EMAIL,
          organizationCode: page.organization.orgCode,
          organizationName: page.organization.orgMetaData.companyInfo.name,
          profileType: 'CUSTOMER',
          signedInAt: 0,
          method: 'password',
          isReviewer,
        }}
        here={{ path, query: '' }}
        strip={
          isViewed && (
            <ViewingStrip
              email={EMAIL}
              viewing={VIEWING}
              environment={serverEnvironment}
              leave={nothing}
            />
          )
        }
        switcher={<AccountSwitcher />}
        notice={notice}
      >
        {content}
      </SignedInView>
    </ActingAccountContext>
  )
}

/** Opens one of the header's popovers once it is rendered. */
function Opened({ label }: { label: string }) {
  useEffect(() => {
    for (const opened of document.querySelectorAll<HTMLElement>(
      `[popover][aria-label^="${label}"]`,
    )) {
      const button = opened.previousElementSibling
      if (button instanceof HTMLElement && button.checkVisibility()) button.click()
    }
  }, [label])
  return null
}

const loaded = <Result,>(result: Result) => ({ result, failure: undefined, retry: nothing })
const loading = { result: undefined, failure: undefined, retry: nothing }
const failed = { result: undefined, failure: UNEXPECTED, retry: nothing }

const home = (
  page: PageData,
  shown: Partial<HomeViewProps> = {},
  header: Parameters<typeof signedIn>[3] = {},
) =>
  signedIn(
    page,
    DEFAULT_REDIRECT,
    <HomeView
      accounts={loaded(ACTING)}
      security={loaded(BARE)}
      passports={loaded([])}
      isConnected
      {...shown}
    />,
    header,
  )

const NO_ACCOUNTS: Accounts = { items: [], acting: undefined }

const wallet = (page: PageData, outcome: Outcome | undefined, connected: boolean) =>
  signedIn(
    page,
    WALLET_PATH,
    <WalletView>
      <WalletCardView
        state={{ step: 'idle', accounts: ACTING, outcome }}
        send={nothing}
        wallet={{
          address: ADDRESS,
          representedGroupPolicy: null,
          status: connected ? 'connected' : 'disconnected',
          walletInfo: { id: 'gallery', name: 'Everyday', coin: 'tp' },
        }}
        life={connected ? '23 hours' : undefined}
        payments={
          <Payments
            account={ADDRESS}
            signer={{ address: ADDRESS, publicKey: '' }}
            chainNode={galleryNode}
            reportError={nothing}
            busy={false}
            onSend={nothing}
          />
        }
      />
    </WalletView>,
  )

/** A node with one payment, which never changes. */
const galleryNode: ChainNode = async (path) => ({
  status: 200,
  content: path.startsWith('/cosmos/bank/')
    ? { balance: { denom: 'nhash', amount: '997500000000' } }
    : { tx_responses: path.includes('sender') ? [PAYMENT] : [] },
})

const PAYMENT = {
  height: '1204',
  txhash: 'A1'.repeat(32),
  code: 0,
  raw_log: '',
  timestamp: '2026-11-23T09:41:00Z',
  tx: { body: { memo: 'Rent' }, auth_info: { fee: { amount: [] } } },
  events: [
    {
      type: 'transfer',
      attributes: [
        { key: 'sender', value: ADDRESS },
        { key: 'recipient', value: 'tp13dkh6lhe5zzfe4qwkl4fqyfmh58p35w5qaxwxy' },
        { key: 'amount', value: '2500000000nhash' },
        { key: 'msg_index', value: '0' },
      ],
    },
  ],
}

const TRANSACTION: Transaction = {
  hash: PAYMENT.txhash,
  height: 1204,
  at: PAYMENT.timestamp,
  code: 0,
  rawLog: '',
  memo: 'Rent',
  fee: [{ denom: 'nhash', amount: '762000000' }],
  transfers: [
    {
      from: ADDRESS,
      to: 'tp13dkh6lhe5zzfe4qwkl4fqyfmh58p35w5qaxwxy',
      coins: [{ denom: 'nhash', amount: '2500000000' }],
    },
  ],
}

const transaction = (page: PageData, shown: Transaction) =>
  signedIn(
    page,
    transactionPath(shown.hash),
    <Stack gap="sections">
      <h1 tabIndex={-1}>Transaction</h1>
      <TransactionView hash={shown.hash} transaction={shown} onRetry={nothing} />
    </Stack>,
  )

/** The overview of an account with no optional settings. */
const BARE: SecurityOverview = {
  ...OVERVIEW,
  aliases: OVERVIEW.aliases.filter(({ type }) => type === 'Email'),
  emailFactorEnabled: false,
  totpEnabled: false,
  questions: [],
  recoveryCodesLeft: 0,
  passkeys: [],
  providers: [],
  hasPassword: false,
}

/** The overview of an account managed by an identity provider. */
const MANAGED: SecurityOverview = {
  ...BARE,
  providers: [{ uuid: 'i', name: 'Northgale ID', connectedAt: 0, manages: true }],
}

const QUESTIONS = [
  { uuid: 'pet', question: 'What was the name of your first pet?' },
  { uuid: 'street', question: 'In which street did you live as a child?' },
  { uuid: 'teacher', question: 'What was the last name of your favorite teacher?' },
]

const CODES = Array.from({ length: 10 }, (_, index) => `k7m${index}-q2x9-c4tr-h8wv`)

const activity = (
  page: PageData,
  { payments, events }: { payments: ReactNode; events: SecurityOverview['events'] },
  accounts = ACTING,
) =>
  signedIn(
    page,
    ACTIVITY_PATH,
    <ActivityView
      acting={actingAs(accounts)}
      payments={payments}
      events={<Events events={events} />}
    />,
    { acting: actingAs(accounts) },
  )

/** The security page, with an optional modal over it. */
function onSecurity(page: PageData, overview: SecurityOverview, over?: ReactNode) {
  return signedIn(
    page,
    SECURITY_PATH,
    <>
      <SecurityView
        state={{ step: 'shown', overview }}
        send={nothing}
        time={() => 'Today, 9:41 AM'}
        passkeys
      />
      {over}
    </>,
  )
}

function inDialog(page: PageData, title: string, content: ReactNode, wide = false) {
  return changing(
    page,
    <Dialog open title={title} width={wide ? 'wide' : 'standard'} onClose={nothing}>
      {content}
    </Dialog>,
  )
}

/** The dialog of a change; it sends no requests. */
function changing(page: PageData, dialog: ReactNode) {
  return onSecurity(
    page,
    OVERVIEW,
    <EnvironmentContext value={serverEnvironment}>{dialog}</EnvironmentContext>,
  )
}

function change(page: PageData, change: SelectedChange) {
  return changing(
    page,
    <Changes
      change={change}
      account={{
        email: EMAIL,
        hasPassword: true,
        hasHostedWallets: true,
        methods: ['password', 'passcode'],
        supportPhone: page.supportPhone,
      }}
      company={page.organization.orgMetaData.companyInfo.name}
      recoveryCodesLeft={0}
      onResult={nothing}
    />,
  )
}

/** Gallery screens by name. */
export const SCREENS: Readonly<
  Record<keyof (typeof GALLERY_SCREENS)['portal'], (page: PageData) => ReactNode>
> = {
  dashboard: (page) => home(page),
  'dashboard-new': (page) =>
    home(
      page,
      { accounts: loaded(NO_ACCOUNTS), isConnected: false },
      { acting: actingAs(NO_ACCOUNTS) },
    ),
  'dashboard-done': (page) => home(page, { security: loaded(OVERVIEW) }),
  'dashboard-loading': (page) =>
    home(
      page,
      { accounts: loading, security: loading, passports: loading },
      { acting: actingAs(undefined) },
    ),
  'dashboard-failed': (page) =>
    home(
      page,
      { accounts: failed, security: failed, passports: failed },
      {
        acting: actingAs(undefined, true),
        notice: <ConnectionNotice kind="unreachable" onRetry={nothing} />,
      },
    ),
  'dashboard-offline': (page) => home(page, {}, { notice: <ConnectionNotice kind="offline" /> }),
  'dashboard-viewed': (page) => home(page, {}, { isViewed: true }),
  'account-menu': (page) => (
    <>
      {home(page)}
      <Opened label="Your account" />
    </>
  ),
  'account-switcher': (page) => (
    <>
      {home(page)}
      <Opened label="Acting as" />
    </>
  ),
  accounts: (page) => signedIn(page, ACCOUNTS_PATH, <AccountsView {...actingAs(ACTING)} />),
  'accounts-invited': (page) =>
    signedIn(
      page,
      ACCOUNTS_PATH,
      <AccountsView {...actingAs(ACTING)}>
        <InvitationsView
          invitations={INVITATIONS}
          onMoreWaiting={nothing}
          onMoreDeclined={undefined}
          isLoadingMore={false}
          organizations={[{ name: 'Larch Partners', address: ADDRESS }]}
          failure={undefined}
          supportPhone={page.supportPhone}
          busy={undefined}
          onAccept={nothing}
          onDecline={nothing}
          onHide={nothing}
        />
      </AccountsView>,
    ),
  'accounts-empty': (page) =>
    signedIn(page, ACCOUNTS_PATH, <AccountsView {...actingAs(NO_ACCOUNTS)} />, {
      acting: actingAs(NO_ACCOUNTS),
    }),
  'accounts-loading': (page) =>
    signedIn(page, ACCOUNTS_PATH, <AccountsView {...actingAs(undefined)} />, {
      acting: actingAs(undefined),
    }),
  'accounts-failed': (page) =>
    signedIn(page, ACCOUNTS_PATH, <AccountsView {...actingAs(undefined, true)} />, {
      acting: actingAs(undefined, true),
    }),
  wallet: (page) =>
    wallet(page, { tone: 'ok', title: 'The message is signed', detail: '3045022100…' }, true),
  'wallet-over': (page) =>
    wallet(
      page,
      { tone: 'warn', title: 'Connection Expired', detail: 'Connect your wallet again.' },
      false,
    ),
  'wallet-declined': (page) =>
    wallet(page, { tone: 'info', title: 'You declined the request' }, true),
  passport: (page) => passport(page, undefined),
  'passport-started': (page) => passport(page, PASSPORT),
  'passport-form': (page) => passportForm(page, 1),
  'passport-check': (page) =>
    passportForm(page, PASSPORT_STEPS.length, { drafts: COMPLETE_DRAFTS }),
  'passport-returned': (page) => passport(page, RETURNED_PASSPORT),
  'dashboard-returned': (page) => home(page, { passports: loaded([RETURNED_PASSPORT]) }),
  reviews: (page) => reviewQueue(page, { items: REVIEW_ITEMS }),
  'reviews-empty': (page) => reviewQueue(page, { items: [] }),
  'reviews-loading': (page) => reviewQueue(page, {}),
  'reviews-failed': (page) => reviewQueue(page, { failure: UNEXPECTED }),
  review: (page) => review(page, REVIEW),
  'review-evidence': (page) => review(page, EVIDENCE_REVIEW),
  'review-decided': (page) => review(page, DECIDED_REVIEW),
  'review-deny': (page) =>
    signedIn(
      page,
      reviewPath(REVIEW),
      <EnvironmentContext value={serverEnvironment}>
        <ReviewView review={REVIEW} now={REVIEWED_AT} isOutdated={false} onDecide={nothing} />
        <DecisionDialog
          event="denied"
          review={REVIEW}
          supportPhone={page.supportPhone}
          onClose={nothing}
          onDecided={nothing}
          onOutdated={nothing}
        />
      </EnvironmentContext>,
      { isReviewer: true },
    ),
  'passport-evidence': (page) =>
    passportForm(page, 0, { steps: EVIDENCE_STEPS, evidence: evidence(page) }),
  activity: (page) =>
    activity(page, {
      payments: <PaymentHistory account={ADDRESS} chainNode={galleryNode} reportError={nothing} />,
      events: OVERVIEW.events,
    }),
  'activity-empty': (page) => activity(page, { payments: undefined, events: [] }, NO_ACCOUNTS),
  'activity-failed': (page) =>
    activity(page, {
      payments: (
        <PaymentHistory
          account={ADDRESS}
          chainNode={async () => ({ status: 503, content: undefined })}
          reportError={nothing}
        />
      ),
      events: [],
    }),
  transaction: (page) => transaction(page, TRANSACTION),
  'transaction-failed': (page) =>
    transaction(page, {
      ...TRANSACTION,
      code: 5,
      rawLog: 'failed to execute message; spendable balance 5nhash is smaller than 2500000000nhash',
      transfers: [],
    }),
  security: (page) => onSecurity(page, OVERVIEW),
  'security-bare': (page) => onSecurity(page, BARE),
  'security-managed': (page) => onSecurity(page, MANAGED),
  'security-confirm': (page) =>
    inDialog(
      page,
      "Confirm it's you",
      <ConfirmationView
        state={{ step: 'entering', method: 'password', busy: false }}
        send={nothing}
        methods={['password', 'passkey', 'totp', 'passcode']}
        email={EMAIL}
        supportPhone={page.supportPhone}
        purpose="password"
      />,
    ),
  'security-password': (page) => change(page, { kind: 'password' }),
  'security-email': (page) => change(page, { kind: 'email' }),
  'security-phone': (page) =>
    inDialog(
      page,
      'Add a phone',
      <PhoneCode
        phone="8005550142"
        alias=""
        client={client}
        supportPhone={page.supportPhone}
        onConfirmed={nothing}
        onBack={nothing}
      />,
    ),
  'security-authenticator': (page) =>
    inDialog(
      page,
      'Set up an authenticator app',
      <AuthenticatorKey
        secret="JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP"
        uri="otpauth://totp/Gallery?secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP"
        client={client}
        supportPhone={page.supportPhone}
        onConfirmed={nothing}
      />,
    ),
  'security-questions': (page) =>
    inDialog(
      page,
      'Recovery questions',
      <QuestionsForm
        catalog={QUESTIONS}
        client={client}
        supportPhone={page.supportPhone}
        onSaved={nothing}
      />,
      true,
    ),
  'security-codes': (page) =>
    inDialog(page, 'Recovery codes', <NewCodes codes={CODES} company="" onClose={nothing} />),
  'security-delete': (page) => change(page, { kind: 'deleteAccount' }),
  'not-found': (page) => signedIn(page, '/nowhere', <NotFound signedIn />),
}
