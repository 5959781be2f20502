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
      />
    </Stack>
  </section>
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
