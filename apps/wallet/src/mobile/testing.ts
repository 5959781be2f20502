/** A mobile wallet without a device, for tests and the gallery. */
import { DEFAULT_WALLET_BRAND } from '@portico/contracts/organization'
import type { DeviceRequests } from '@portico/wallet-kit/device-requests'
import { type FakeDevice, fakeDevice } from '@portico/wallet-kit/device-testing'
import type { MobileEnvironment } from './environment.ts'
import type { Camera } from './scan/camera.ts'
import type { OpenWallet } from './wallet/open-wallet.ts'

const noop = () => undefined
const subscribe = () => noop

const PAGE: MobileEnvironment['page'] = {
  orgCode: 'FIGURE',
  name: 'Figure',
  logoPath: '/logo.svg',
  supportPhone: '8005550142',
  supportEmail: 'support@lender.example',
  wallet: DEFAULT_WALLET_BRAND,
  addressPrefix: 'tp',
  demonstration: true,
  version: '1.0.0',
  offline: false,
}

/** The environment of a browser that offers and supports nothing, with these changes. */
export function fakeMobileEnvironment(changes: Partial<MobileEnvironment> = {}): MobileEnvironment {
  return {
    page: PAGE,
    window,
    hasArrivalCode: () => false,
    takeArrivalCode: noop,
    camera: fakeCamera({ step: 'off' }),
    openDecoder: () => ({ decode: async () => undefined, close: noop }),
    isInTap: () => false,
    singleWindow: { isCurrent: () => true, subscribe, takeOver: noop },
    updates: { isReady: () => false, subscribe, install: noop },
    online: { isOnline: () => true, subscribe },
    install: { isOffered: () => false, subscribe, prompt: async () => undefined },
    storage: { isSupported: false, persist: async () => false },
    asked: { has: () => false, add: noop },
    notifications: {
      state: async () => 'unsupported',
      ready: async () => undefined,
      turnOn: async () => 'on',
      turnOff: async () => undefined,
      renew: async () => undefined,
      show: async () => undefined,
    },
    returnTo: noop,
    reportError(error) {
      throw error
    },
    ...changes,
  }
}

/** A camera that stays in this state. */
export const fakeCamera = (state: ReturnType<Camera['state']>): Camera => ({
  state: () => state,
  subscribe,
  start: async () => undefined,
  stop: noop,
  switchTorch: async () => undefined,
})

/** A wallet in memory. */
export function fakeOpenWallet(
  device: FakeDevice,
  changes: Partial<Pick<DeviceRequests, 'connect' | 'topics'>> = {},
): OpenWallet {
  const { environment } = fakeDevice(device)
  const requests: DeviceRequests = {
    ...environment.requests,
    ready: Promise.resolve(),
    topics: () => [],
    connecting: () => 0,
    wake: noop,
    resetTimeout: noop,
    answered: async () => undefined,
    withdraw: async () => undefined,
    stop: async () => undefined,
    ...changes,
  }
  return { device: { ...environment, requests }, requests }
}
