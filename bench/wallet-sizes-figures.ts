import { installPublishedPackages, PUBLISHED_PACKAGES } from '../tools/test/published-packages.ts'
import { builtKilobytes } from './built-kilobytes.ts'
import { bundledKilobytes, type Uses } from './bundled-kilobytes.ts'
import { type Figure, figure, short } from './figure.ts'

/** What the wallet modal may add to a page that is already open. */
export const MODAL_BUDGET_KB = 40
const BUDGET = {
  text: `${MODAL_BUDGET_KB} kB`,
  isMet: ({ ours }: { readonly ours: number }) => ours <= MODAL_BUDGET_KB,
}

const PAGE = [
  'QRCodeModal',
  'useWalletConnect',
  'WalletConnectContextProvider',
  'WalletConnectService',
  'WINDOW_MESSAGES',
]
const PUBLISHED = '@provenanceio/walletconnect-js'
const IN_PUBLISHED: Uses = { from: PUBLISHED, names: PAGE }
const CLIENT: Uses = { from: '@walletconnect/client', names: ['default'] }

// Already loaded after a login: the page and its dialog.
const LOGGED_IN = ['src/main.tsx', 'src/redirecting/redirecting.tsx']
const OPENED = 'src/wallet/wallet.tsx'
const CONNECTED = [
  'src/wallet/connect-screens.ts',
  '../../packages/wallet-connect/src/session/conversation.ts',
  '../../node_modules/uqr/dist/index.mjs',
]

/** The parts of the built login page whose sizes are measured here. */
export const MEASURED_PARTS: readonly string[] = [...LOGGED_IN, OPENED, ...CONNECTED]

/** The size of the wallet modal with its library as the login page fetches it, in kB after gzip. */
export const openedModal = () => builtKilobytes('auth', OPENED, LOGGED_IN)

/**
 * The size of the product's wallet modal with the library, as built, and of each export of the library in
 * a separate page, against the equivalent published package.
 */
export async function walletSizesFigures(): Promise<Figure[]> {
  await installPublishedPackages()
  const line = async (name: string, ours: Uses, baseline: Uses, shared?: RegExp) =>
    figure({
      figure: name,
      on: 'bundled page, gzip',
      ours: [await bundledKilobytes(PUBLISHED_PACKAGES, ours, shared)],
      baseline: [await bundledKilobytes(PUBLISHED_PACKAGES, baseline)],
      write: (size) => `${short(size)} kB`,
      ...(shared ? { budget: BUDGET } : {}),
    })
  const published = await bundledKilobytes(PUBLISHED_PACKAGES, IN_PUBLISHED)
  const opened = openedModal()
  const connected = CONNECTED.reduce(
    (sum, part) => sum + builtKilobytes('auth', part, [...LOGGED_IN, OPENED]),
    opened,
  )
  const built = (name: string, size: number) => ({
    figure: name,
    on: 'built page, gzip',
    ours: [size],
    baseline: [published],
    write: (kilobytes: number) => `${short(kilobytes)} kB`,
  })
  const service = ['WalletConnectService', 'WINDOW_MESSAGES']
  return [
    figure({
      ...built(`Our wallet modal with its library, fetched when it opens; ${PUBLISHED}`, opened),
      budget: BUDGET,
    }),
    figure(
      built(`The same until a wallet is connected and verified, total; ${PUBLISHED}`, connected),
    ),
    await line(
      `Wallet modal and library without React; ${PUBLISHED}`,
      { from: '@portico/wallet-connect/react', names: PAGE },
      IN_PUBLISHED,
    ),
    await line(
      `What these add to our own pages, which already load zod; ${PUBLISHED}`,
      { from: '@portico/wallet-connect/react', names: PAGE },
      IN_PUBLISHED,
      /^zod(\/|$)/,
    ),
    await line(
      `Wallet library without modal; ${PUBLISHED} without modal`,
      { from: '@portico/wallet-connect/session', names: service },
      { from: `${PUBLISHED}/esm/service`, names: service },
    ),
    await line(
      `Wallet side; ${CLIENT.from}, which neither signs nor describes`,
      { from: '@portico/wallet-connect/wallet', names: ['joinSession', 'resumeSession'] },
      CLIENT,
    ),
    await line(
      `Whole protocol alone; ${CLIENT.from}`,
      { from: '@portico/wallet-connect/protocol', names: ['*'] },
      CLIENT,
    ),
  ]
}
