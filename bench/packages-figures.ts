import path from 'node:path'
import { buildPackages } from '../tools/packages/build.ts'
import { ROOT } from '../tools/setup/processes.mjs'
import { installPublishedPackages, PUBLISHED_PACKAGES } from '../tools/test/published-packages.ts'
import { bundledKilobytes, type Uses } from './bundled-kilobytes.ts'
import { type Figure, figure, short } from './figure.ts'

const SESSION = ['WalletConnectService', 'WINDOW_MESSAGES']
const PUBLISHED = '@provenanceio/walletconnect-js'

/** What a page outside the repository gets of the built packages, without React, against packages that it could use instead. */
export async function packagesFigures(): Promise<Figure[]> {
  await installPublishedPackages()
  const root = path.join(ROOT, 'node_modules/.cache/packages')
  await buildPackages(path.join(root, 'node_modules/@portico'))

  const line = async (name: string, ours: Uses, baseline: Uses, from = PUBLISHED_PACKAGES) =>
    figure({
      figure: name,
      on: 'bundled page, gzip',
      ours: [await bundledKilobytes(root, ours)],
      baseline: [await bundledKilobytes(from, baseline)],
      write: (size) => `${short(size)} kB`,
    })
  const button: Uses = { from: '@portico/ui/button', names: ['Button'] }
  const headless: Uses = { from: '@base-ui/react/button', names: ['Button'] }
  const ui = path.join(ROOT, 'packages/ui')
  return [
    await line(
      `Packages: a wallet session; ${PUBLISHED} without modal`,
      { from: '@portico/wallet-connect/session', names: SESSION },
      { from: `${PUBLISHED}/esm/service`, names: SESSION },
    ),
    await line(`Packages: one button; ${headless.from}, without styles`, button, headless, ui),
    await line(
      `Packages: one button with the style sheet of all components; ${headless.from}, without styles`,
      { ...button, styles: '@portico/ui/styles.css' },
      headless,
      ui,
    ),
  ]
}
