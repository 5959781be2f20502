import type { GALLERY_SCREENS } from '@portico/contracts/gallery'
import type { PageData } from '@portico/contracts/page-data'
import { ApprovalView } from '@portico/wallet-kit/approval-view'
import { DEVICE_SCREENS } from '@portico/wallet-kit/device-gallery'
import { connecting, signing } from '@portico/wallet-kit/testing'
import type { ReactNode } from 'react'
import { EnvironmentProvider } from '../environment-provider.tsx'
import type { ParentPage } from '../parent-page.ts'
import { serverEnvironment } from '../server-environment.ts'
import type { State as Wallet } from '../wallet/wallet.flow.ts'
import { account } from '../wallet/wallet.samples.ts'
import { WalletView } from '../wallet/wallet.view.tsx'
import { MOBILE_SCREENS } from './mobile-screens.tsx'

const noop = () => undefined

const DAY_MS = 86_400_000
const ORIGIN = 'https://lender.example'

function inWallet(page: PageData, state: Wallet, parent?: ParentPage) {
  return (
    <EnvironmentProvider environment={serverEnvironment}>
      <WalletView
        state={state}
        send={noop}
        currentRequest={{ commit: async () => true, release: noop }}
        page={{
          ...page,
          session: {
            email: 'maximiliane.hohenstein@longest-mail-domain.example',
            organizationCode: page.organization.orgCode,
            organizationName: page.organization.orgMetaData.companyInfo.name,
            profileType: 'CUSTOMER',
            signedInAt: 0,
            method: 'password',
          },
        }}
        arrival={{ kind: 'visit' }}
        parent={parent}
      />
    </EnvironmentProvider>
  )
}

const READ = { endSeen: true, riskAccepted: false, feeAccepted: false }
const PARENT: ParentPage = {
  origin: ORIGIN,
  close: noop,
  minimize: noop,
  restore: noop,
  open: noop,
}

type DeviceScreens = {
  readonly [Name in keyof typeof DEVICE_SCREENS]: (page: PageData) => ReactNode
}

/** The screens of a wallet on the user's device, with the lender's name above. */
const DEVICE_PAGES = Object.fromEntries(
  Object.entries(DEVICE_SCREENS).map(([name, screen]) => [
    name,
    (page: PageData) => screen(page.organization.orgMetaData.companyInfo.name),
  ]),
) as DeviceScreens // The same keys.

/** The screens by their gallery name. */
export const SCREENS: Readonly<
  Record<keyof (typeof GALLERY_SCREENS)['wallet'], (page: PageData) => ReactNode>
> = {
  'hosted-wallet': (page) =>
    inWallet(page, {
      step: 'open',
      accounts: [account],
      connection: {
        step: 'connected',
        until: DAY_MS,
        decided: { kind: 'sign', how: 'agreed' },
        awaited: 0,
      },
    }),
  'hosted-votes': (page) =>
    inWallet(
      page,
      {
        step: 'open',
        accounts: [account],
        connection: {
          step: 'connected',
          until: DAY_MS,
          decided: { kind: 'send', how: 'proposed' },
          awaited: 1,
        },
      },
      PARENT,
    ),
  'hosted-first': (page) => inWallet(page, { step: 'empty' }, PARENT),
  'hosted-signed-out': (page) => inWallet(page, { step: 'signedOut' }, PARENT),
  'hosted-over': (page) =>
    inWallet(
      page,
      {
        step: 'open',
        accounts: [account],
        connection: { step: 'ended', how: 'ended-by-page', decided: undefined },
      },
      PARENT,
    ),
  approval: () => (
    <ApprovalView
      state={{
        step: 'asking',
        prompt: signing,
        details: {
          kind: 'act',
          approvalId: 'approval',
          words: { kind: 'text', text: 'I agree' },
          proof: null,
        },
        review: READ,
      }}
      send={noop}
      onLogIn={noop}
      waiting={1}
      unlock={() => null}
    />
  ),
  'approval-choice': () => (
    <ApprovalView
      state={{
        step: 'asking',
        prompt: connecting,
        details: { kind: 'connect', chosen: undefined },
        review: READ,
      }}
      send={noop}
      onLogIn={noop}
      waiting={1}
      unlock={() => null}
    />
  ),
  ...DEVICE_PAGES,
  ...MOBILE_SCREENS,
}
