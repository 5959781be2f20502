import { installPublishedPackages, PUBLISHED_PACKAGES } from '../test/published-packages.ts'
import { bundledKilobytes, type Uses } from './bundled-kilobytes.ts'
import { type Figure, figure, short } from './figure.ts'

const BUDGET_KB = 40

const PAGE = [
  'QRCodeModal',
  'useWalletConnect',
  'WalletConnectContextProvider',
  'WalletConnectService',
  'WINDOW_MESSAGES',
]
const PUBLISHED = '@provenanceio/walletconnect-js'
const CLIENT: Uses = { from: '@walletconnect/client', names: ['default'] }

/** What each door of our wallet library weighs in a page, against the published package that does the same. */
export async function walletSizesFigures(): Promise<Figure[]> {
  await installPublishedPackages()
  const line = async (name: string, ours: Uses, baseline: Uses, shared?: RegExp) =>
    figure({
      figure: name,
      on: 'bundled page, gzip',
      ours: [await bundledKilobytes(PUBLISHED_PACKAGES, ours, shared)],
      baseline: [await bundledKilobytes(PUBLISHED_PACKAGES, baseline)],
      write: (size) => `${short(size)} kB`,
      ...(shared
        ? {
            budget: {
              text: `${BUDGET_KB} kB`,
              isMet: ({ ours }: { readonly ours: number }) => ours <= BUDGET_KB,
            },
          }
        : {}),
    })
  const service = ['WalletConnectService', 'WINDOW_MESSAGES']
  return [
    await line(
      `Wallet modal and library, React apart; ${PUBLISHED}`,
      { from: '@portico/wallet-connect/react', names: PAGE },
      { from: PUBLISHED, names: PAGE },
    ),
    await line(
      `What these add to our own pages, which have zod already; ${PUBLISHED}`,
      { from: '@portico/wallet-connect/react', names: PAGE },
      { from: PUBLISHED, names: PAGE },
      /^zod(\/|$)/,
    ),
    await line(
      `Wallet library without modal; ${PUBLISHED} likewise`,
      { from: '@portico/wallet-connect/session', names: service },
      { from: `${PUBLISHED}/esm/service`, names: service },
    ),
    await line(
      `A wallet’s side; ${CLIENT.from}, which signs and describes nothing`,
      { from: '@portico/wallet-connect/wallet', names: ['joinSession', 'resumeSession'] },
      CLIENT,
    ),
    await line(
      `The protocol alone, all of it; ${CLIENT.from}`,
      { from: '@portico/wallet-connect/protocol', names: ['*'] },
      CLIENT,
    ),
  ]
}
