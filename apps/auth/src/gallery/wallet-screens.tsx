import { ERROR_CATALOG } from '@portico/contracts/error-catalog'
import type { GALLERY_SCREENS } from '@portico/contracts/gallery'
import { NOTICES } from '@portico/contracts/notices'
import type { PageData } from '@portico/contracts/page-data'
import { mismatchNotice } from '@portico/rules/wallet-mismatch'
import { Dialog } from '@portico/ui/dialog'
import { Stack } from '@portico/ui/stack'
import type { ReactNode } from 'react'
import type { State as Connect } from '../wallet/connect/connect.flow.ts'
import { ConnectView } from '../wallet/connect/connect.view.tsx'
import { ExtensionModal } from '../wallet/connect/extension-modal.tsx'
import { QrModal } from '../wallet/connect/qr-modal.tsx'
import { Converted, ConvertSteps } from '../wallet/convert-wallet/convert-wallet.tsx'
import { CreateFigure } from '../wallet/create-figure/create-figure.tsx'
import {
  ALONE,
  type State as CreateOrganization,
} from '../wallet/create-organization/create-organization.flow.ts'
import {
  CreateOrganizationView,
  TITLES,
} from '../wallet/create-organization/create-organization.view.tsx'
import { CreateWallet } from '../wallet/create-wallet/create-wallet.tsx'
import { SelectWalletView } from '../wallet/select-wallet/select-wallet.view.tsx'
import type { State as Verify } from '../wallet/verify/verify.flow.ts'
import { VerifyView } from '../wallet/verify/verify.view.tsx'
import { statusOf, type State as WalletModal } from '../wallet/wallet-modal/wallet-modal.flow.ts'
import {
  TITLES as MODAL_TITLES,
  WalletModalView,
} from '../wallet/wallet-modal/wallet-modal.view.tsx'
import { Framed, nothing } from './framed.tsx'
import { accounts, BIRCH, EVERYDAY, QR_CODE } from './sample-wallets.ts'

function onWallet(page: PageData, modal: ReactNode) {
  return <Framed page={page}>{modal}</Framed>
}

function walletModal(page: PageData, state: WalletModal, children?: ReactNode) {
  return onWallet(
    page,
    <Dialog
      open
      title={MODAL_TITLES[statusOf(state)]}
      width={state.step === 'Connect' ? 'wide' : 'standard'}
      onClose={nothing}
    >
      <WalletModalView
        state={state}
        send={nothing}
        connected={{ address: EVERYDAY.wallet.address }}
        life="23 hours"
        supportPhone={page.supportPhone}
      >
        {children}
      </WalletModalView>
    </Dialog>,
  )
}

const COMPUTER = { extensionInstalled: true, lastUsed: 'extension', onPhone: false } as const

type Connecting = Extract<Connect, { step: 'connecting' }>

function connecting(
  page: PageData,
  { walletKind, progress }: Pick<Connecting, 'walletKind' | 'progress'>,
) {
  return walletModal(
    page,
    { step: 'Connect', chosen: { walletAddress: EVERYDAY.wallet.address }, choice: EVERYDAY },
    <ConnectView
      state={{ step: 'connecting', wanted: undefined, walletKind, progress }}
      send={nothing}
      target={EVERYDAY.account}
      hosted={walletKind === 'hosted'}
      discovery={COMPUTER}
      hostname="lender.example"
      onCopy={nothing}
      onBack={nothing}
    />,
  )
}

function verifying(page: PageData, state: Verify, over?: ReactNode, namesSite = true) {
  return walletModal(
    page,
    { step: 'Verify', clicked: EVERYDAY },
    <VerifyView
      state={state}
      target={EVERYDAY.account}
      discovery={COMPUTER}
      namesSite={namesSite}
      send={nothing}
      onBack={nothing}
    >
      {over}
    </VerifyView>,
  )
}

const CHOOSING_KIND: Verify = { step: 'CONNECT_NEW', wanted: undefined, walletKind: undefined }

function onOrganization(page: PageData, content: ReactNode) {
  return (
    <Framed page={page}>
      <Stack>
        <h1 tabIndex={-1}>Create an Organization</h1>
        <p>Select the Individual Wallet that will be the controlling member of this Organization</p>
        {content}
      </Stack>
    </Framed>
  )
}

function creating(page: PageData, state: CreateOrganization) {
  return onOrganization(
    page,
    <Dialog open title={TITLES[state.step]} onClose={nothing}>
      <CreateOrganizationView
        state={state}
        send={nothing}
        walletAddress={EVERYDAY.account.address}
        onBack={nothing}
        walletWindow="Figure Wallet"
        supportPhone={page.supportPhone}
      />
    </Dialog>,
  )
}

const ORGANIZATION = { id: '', name: BIRCH.account.name, membership: ALONE, message: '' }

/** Wallet gallery screens by name: every modal status and the screens around the modal. */
export const WALLET_SCREENS = {
  'wallet-accounts': (page) => walletModal(page, { step: 'Select', list: accounts }),
  'wallet-accounts-refused': (page) =>
    walletModal(page, {
      step: 'Select',
      list: accounts,
      problem: {
        title: ERROR_CATALOG['wallet-already-attached'].message,
        failure: { notices: [NOTICES.selectWalletFromList] },
      },
    }),
  'wallet-accounts-mismatch': (page) =>
    walletModal(page, {
      step: 'Select',
      list: accounts,
      problem: {
        title: 'Another wallet connected',
        failure: {
          notices: [
            mismatchNotice(EVERYDAY.account, { address: BIRCH.account.address }),
            'Please choose again.',
          ],
        },
      },
    }),
  'wallet-connect': (page) =>
    connecting(page, { walletKind: 'mobile', progress: { is: 'waiting', code: QR_CODE } }),
  'wallet-connect-hosted': (page) =>
    connecting(page, { walletKind: 'hosted', progress: { is: 'waiting', code: QR_CODE } }),
  'wallet-connect-failed': (page) =>
    connecting(page, {
      walletKind: 'mobile',
      progress: { is: 'failed', message: 'Requested account is not available' },
    }),
  'wallet-extension': (page) =>
    verifying(
      page,
      CHOOSING_KIND,
      <ExtensionModal
        progress={{ is: 'missing' }}
        target={EVERYDAY.account}
        onPhone={false}
        send={nothing}
        onClose={nothing}
      />,
    ),
  'wallet-code': (page) =>
    verifying(
      page,
      CHOOSING_KIND,
      <QrModal
        progress={{ is: 'waiting', code: QR_CODE }}
        target={EVERYDAY.account}
        onPhone={false}
        send={nothing}
        onCopy={nothing}
        onClose={nothing}
      />,
    ),
  'wallet-verify': (page) => verifying(page, CHOOSING_KIND),
  'wallet-verify-signature': (page) => verifying(page, { step: 'GET_NONCE', wanted: undefined }),
  'wallet-verify-other-wallet': (page) =>
    verifying(page, { step: 'GET_NONCE', wanted: undefined }, undefined, false),
  'wallet-verify-failed': (page) =>
    walletModal(page, {
      step: 'Verification_Error',
      clicked: EVERYDAY,
      failure: { notices: ['Sign request rejected by user'] },
    }),
  'wallet-provenance': (page) => walletModal(page, { step: 'Provenance', clicked: BIRCH }),
  'wallet-convert': (page) => (
    <Framed page={page}>
      <Stack>
        <h1 tabIndex={-1}>Convert your Provenance Wallet</h1>
        <ConvertSteps
          held="1,000 hash"
          targets={[EVERYDAY.wallet]}
          createHref="/auth/wallet/create-wallet"
          to="/auth/wallet"
          pending={false}
          onCheck={nothing}
          onConvert={nothing}
        />
      </Stack>
    </Framed>
  ),
  'wallet-converted': (page) => (
    <Framed page={page}>
      <Converted
        address={BIRCH.wallet.address}
        left={{ held: '1,000 hash', address: EVERYDAY.wallet.address }}
        onContinue={nothing}
      />
    </Framed>
  ),
  'wallet-benefits': (page) =>
    onWallet(
      page,
      <CreateWallet connectHref="/auth/wallet" onContinue={nothing} onClose={nothing} />,
    ),
  'wallet-name': (page) =>
    onWallet(
      page,
      <CreateFigure
        supportPhone={page.supportPhone}
        onBack={nothing}
        onClose={nothing}
        onCreated={nothing}
      />,
    ),
  'wallet-select': (page) =>
    onOrganization(
      page,
      <SelectWalletView
        state={{
          step: 'Select',
          wallets: [
            { ...EVERYDAY.wallet, name: 'Everyday' },
            { ...EVERYDAY.wallet, name: 'Savings for the house in the country', verified: false },
          ],
        }}
        send={nothing}
        backTo="/dashboard"
        supportPhone={page.supportPhone}
      />,
    ),
  'organization-name': (page) =>
    creating(page, {
      step: 'naming',
      name: ORGANIZATION.name,
      membership: ALONE,
      busy: false,
      failure: { notices: ['Request rejected'] },
      by: 'wallet',
    }),
  'organization-members': (page) =>
    creating(page, {
      step: 'naming',
      name: ORGANIZATION.name,
      membership: {
        members: [
          { address: BIRCH.account.address, name: 'Ben' },
          { address: '', name: '' },
        ],
        threshold: 2,
      },
      busy: false,
    }),
  'organization-approve': (page) =>
    creating(page, { step: 'approving', organization: ORGANIZATION }),
  'organization-waiting': (page) =>
    creating(page, { step: 'confirming', organization: ORGANIZATION }),
  'organization-created': (page) =>
    creating(page, { step: 'created', account: BIRCH.account, membership: ALONE, acting: false }),
} satisfies Partial<Record<keyof (typeof GALLERY_SCREENS)['auth'], (page: PageData) => ReactNode>>
