import type { ChainNode } from '@portico/chain-client/chain'
import type { Transaction } from '@portico/chain-client/transfers'
import type { SecurityOverview } from '@portico/contracts/account-security'
import type { GALLERY_SCREENS } from '@portico/contracts/gallery'
import type { PageData } from '@portico/contracts/page-data'
import { ConfirmationView } from '@portico/shell/confirmation-view'
import { PageFrame } from '@portico/shell/page-frame'
import { Dialog } from '@portico/ui/dialog'
import { Stack } from '@portico/ui/stack'
import type { ReactNode } from 'react'
import { AuthenticatorKey } from '../authenticator/authenticator.tsx'
import { DashboardView } from '../dashboard/dashboard.tsx'
import { EnvironmentContext } from '../environment.ts'
import { NotFound } from '../not-found/not-found.tsx'
import { PhoneCode } from '../phone/phone.tsx'
import { QuestionsForm } from '../questions/questions.tsx'
import { NewCodes } from '../recovery-codes/recovery-codes.tsx'
import { Changes } from '../security/changes.tsx'
import type { SelectedChange } from '../security/security.flow.ts'
import { overview } from '../security/security.samples.ts'
import { SecurityView } from '../security/security.view.tsx'
import { serverEnvironment } from '../server-environment.ts'
import { TransactionView } from '../transaction/transaction.tsx'
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

const wallet = (outcome: Outcome, connected: boolean) => (
  <section aria-labelledby="wallet">
    <Stack gap="inside">
      <h2 id="wallet">Wallet</h2>
      <WalletCardView
        state={{
          step: 'idle',
          accounts: { items: [], acting: undefined },
          outcome,
        }}
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
            chainNode={galleryNode}
            reportError={nothing}
            busy={false}
            onSend={nothing}
          />
        }
      />
    </Stack>
  </section>
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

const transaction = (page: PageData, shown: Transaction) => (
  <PageFrame page={page} wide>
    <Stack gap="sections">
      <h1 tabIndex={-1}>Transaction</h1>
      <TransactionView hash={shown.hash} transaction={shown} onRetry={nothing} />
    </Stack>
  </PageFrame>
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
  hasPassword: false,
}

const QUESTIONS = [
  { uuid: 'pet', question: 'What was the name of your first pet?' },
  { uuid: 'street', question: 'In which street did you live as a child?' },
  { uuid: 'teacher', question: 'What was the last name of your favorite teacher?' },
]

const CODES = Array.from({ length: 10 }, (_, index) => `k7m${index}-q2x9-c4tr-h8wv`)

function dashboard(page: PageData, card: ReactNode) {
  return (
    <PageFrame page={page} wide>
      <DashboardView
        session={{
          email: EMAIL,
          organizationCode: page.organization.orgCode,
          organizationName: page.organization.orgMetaData.companyInfo.name,
          profileType: 'CUSTOMER',
          signedInAt: 0,
          method: 'password',
        }}
        since="Today, 9:41 AM"
        wallet={card}
      />
    </PageFrame>
  )
}

/** The security page, with an optional modal over it. */
function onSecurity(page: PageData, overview: SecurityOverview, over?: ReactNode) {
  return (
    <PageFrame page={page} wide>
      <SecurityView
        state={{ step: 'shown', overview }}
        send={nothing}
        time={() => 'Today, 9:41 AM'}
        passkeys
      />
      {over}
    </PageFrame>
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
  dashboard: (page) =>
    dashboard(
      page,
      wallet({ tone: 'ok', title: 'Signed', detail: 'The message was signed.' }, true),
    ),
  'dashboard-wallet-over': (page) =>
    dashboard(page, wallet({ tone: 'warn', title: 'Connection Expired' }, false)),
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
  'security-confirm': (page) =>
    inDialog(
      page,
      'Confirm that it is you',
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
  'not-found': (page) => (
    <PageFrame page={page}>
      <NotFound signedIn />
    </PageFrame>
  ),
}
