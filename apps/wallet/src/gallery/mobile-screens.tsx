/** The screens of the mobile wallet's shell in fixed states, for the gallery. */

import type { PageData } from '@portico/contracts/page-data'
import { Logo } from '@portico/shell/logo'
import { DeviceWallet } from '@portico/wallet-kit/device-screens'
import { type FakeDevice, fakeDevice } from '@portico/wallet-kit/device-testing'
import type { ConnectFailure } from '@portico/wallet-kit/device-wallet'
import type { ReactNode } from 'react'
import { type MobileEnvironment, MobileEnvironmentContext } from '../mobile/environment.ts'
import { MobileWallet } from '../mobile/mobile-wallet.tsx'
import type { Camera, CameraFailure } from '../mobile/scan/camera.ts'
import { PasteLink } from '../mobile/scan/paste-link.tsx'
import { Scan } from '../mobile/scan/scan.tsx'
import { fakeCamera, fakeMobileEnvironment, fakeOpenWallet } from '../mobile/testing.ts'
import { OpenedWallet } from '../mobile/wallet/opened-wallet.tsx'
import { WalletUnavailable } from '../mobile/wallet/wallet.tsx'

const noop = () => undefined
const subscribe = () => noop

function environment(page: PageData, changes: Partial<MobileEnvironment> = {}): MobileEnvironment {
  const { orgCode, orgMetaData } = page.organization
  const { name, logoPath, darkLogoPath } = orgMetaData.companyInfo
  const { supportPhone, wallet } = page
  const own = fakeMobileEnvironment(changes)
  return {
    ...own,
    page: { ...own.page, orgCode, name, logoPath, darkLogoPath, supportPhone, wallet },
  }
}

const DEVICE: FakeDevice = {
  vault: { passphrase: '', words: '' },
  accounts: [
    {
      name: 'Everyday',
      address: 'tp1knsxfnn0lq48mmnkfnkgtkk8qnxxdu0y2tklkh',
      publicKey: '',
      verified: true,
      groups: [],
    },
  ],
}

/** The whole shell, with an attempt to connect that ends as given. */
function shell(
  page: PageData,
  {
    device = DEVICE,
    changes,
    topics = [],
    connect = () => new Promise<never>(noop),
  }: {
    device?: FakeDevice
    changes?: Partial<MobileEnvironment>
    topics?: readonly string[]
    connect?: () => Promise<ConnectFailure | undefined>
  } = {},
) {
  return (
    <MobileEnvironmentContext value={environment(page, changes)}>
      <OpenedWallet wallet={fakeOpenWallet(device, { connect, topics: () => topics })} />
    </MobileEnvironmentContext>
  )
}

/** The wallet was opened with a code. */
const ARRIVED = { hasArrivalCode: () => true, takeArrivalCode: () => 'wc:' }

const notConnected = (failure: ConnectFailure) => (page: PageData) =>
  shell(page, { changes: ARRIVED, connect: async () => failure })

/** The tab of the scanner. */
function scanTab(page: PageData, content: ReactNode, changes: Partial<MobileEnvironment> = {}) {
  const mobile = environment(page, changes)
  return (
    <MobileEnvironmentContext value={mobile}>
      <DeviceWallet
        environment={fakeDevice(DEVICE).environment}
        brand={<Logo {...mobile.page} />}
        tabs={[
          'accounts',
          { name: 'scan', label: 'Scan', icon: 'scan', content },
          'activity',
          'settings',
        ]}
        firstTab="scan"
      />
    </MobileEnvironmentContext>
  )
}

const scanning = (state: ReturnType<Camera['state']>) => (page: PageData) =>
  scanTab(page, <Scan onCode={noop} />, { camera: fakeCamera(state) })

const refused = (failure: CameraFailure) => scanning({ step: 'failed', failure })

/** What a camera films: something bright, on which the scanner's texts have to be readable. */
function filmedDesk(): MediaStream {
  const canvas = document.createElement('canvas')
  canvas.width = 720
  canvas.height = 1280
  const context = canvas.getContext('2d')
  if (context !== null) {
    context.fillStyle = '#d8d2c4'
    context.fillRect(0, 0, canvas.width, canvas.height)
    context.fillStyle = '#ffffff'
    context.fillRect(160, 400, 400, 400)
  }
  return canvas.captureStream()
}

/** The screens by their gallery name. */
export const MOBILE_SCREENS = {
  'mobile-home': (page: PageData) => shell(page),
  'mobile-connecting': (page: PageData) => shell(page, { changes: ARRIVED }),
  'mobile-not-connected': notConnected('unanswered'),
  'mobile-unreachable': notConnected('relay-unreachable'),
  'mobile-offline': (page: PageData) =>
    shell(page, { changes: { online: { isOnline: () => false, subscribe } } }),
  'mobile-update': (page: PageData) =>
    shell(page, { changes: { updates: { isReady: () => true, subscribe, install: noop } } }),
  'mobile-keep': (page: PageData) =>
    shell(page, { changes: { storage: { isSupported: true, persist: async () => false } } }),
  'mobile-notifications': (page: PageData) =>
    shell(page, {
      topics: ['topic'],
      changes: {
        notifications: { ...environment(page).notifications, state: async () => 'off' },
      },
    }),
  'mobile-install': (page: PageData) =>
    shell(page, {
      changes: { install: { isOffered: () => true, subscribe, prompt: async () => undefined } },
    }),
  'mobile-scan': scanning({ step: 'off' }),
  'mobile-scan-starting': scanning({ step: 'starting' }),
  'mobile-scan-on': (page: PageData) =>
    scanning({ step: 'on', stream: filmedDesk(), torch: false })(page),
  'mobile-camera-refused': refused('refused'),
  'mobile-camera-missing': refused('missing'),
  'mobile-paste': (page: PageData) => scanTab(page, <PasteLink onCode={noop} onBack={noop} />),
  'mobile-elsewhere': (page: PageData) => (
    <MobileEnvironmentContext
      value={environment(page, {
        singleWindow: { isCurrent: () => false, subscribe, takeOver: noop },
      })}
    >
      <MobileWallet />
    </MobileEnvironmentContext>
  ),
  'mobile-no-storage': (page: PageData) => (
    <MobileEnvironmentContext value={environment(page)}>
      <WalletUnavailable />
    </MobileEnvironmentContext>
  ),
} as const
