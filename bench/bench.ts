// `npm run bench [-- NAME…] [--rounds N] [--write]`: measures each figure against its own baseline in the same run,
// prints the table and, with `--write`, updates the table in docs/performance.md; a whole run replaces it.
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { loadavg } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { replaceBetween } from '../tools/generate/replace-between.ts'
import { buildIfNeeded } from '../tools/setup/build.mjs'
import { ROOT } from '../tools/setup/processes.mjs'
import { adminFigures } from './admin-figures.ts'
import { clientSizesFigures } from './client-sizes-figures.ts'
import { consoleFigures } from './console-figures.ts'
import { evidenceFigures } from './evidence-figures.ts'
import { extensionFigures } from './extension-figures.ts'
import { extensionSizeFigures } from './extension-sizes.ts'
import type { Figure } from './figure.ts'
import { gatekeeperFigures, passportStatusFigures } from './gatekeeper-figures.ts'
import { handshakeFigures } from './handshake-figures.ts'
import { hostedWalletFigures } from './hosted-wallet-figures.ts'
import { importFigures } from './import-figures.ts'
import { journeyFigures } from './journey-figures.ts'
import { keysFigures } from './keys-figures.ts'
import { mobileScanFigures } from './mobile-scan-figures.ts'
import { openidFigures } from './openid-figures.ts'
import { organizationsFigures } from './organizations-figures.ts'
import { packagesFigures } from './packages-figures.ts'
import { bytesFigures, mobileWalletFigures, phoneFigures } from './page-figures.ts'
import { relayFigures } from './relay-figures.ts'
import { releaseFigures } from './release-figures.ts'
import { conditions, table } from './report.ts'
import { reviewFigures } from './review-figures.ts'
import { scannerFigures } from './scanner-figures.ts'
import { scimFigures } from './scim-figures.ts'
import { ENGINES, type Engine } from './seeds.ts'
import { serverFigures } from './server-figures.ts'
import { sizeFigures } from './size-figures.ts'
import { memoryFigures, startFigures } from './start-figures.ts'
import { telemetryFigures } from './telemetry-figures.ts'
import { tracingFigures } from './tracing-figures.ts'
import { transactionFigures } from './transaction-figures.ts'
import { undelayedFigures } from './undelayed-figures.ts'
import { updatedTable } from './updated-table.ts'
import { walletFigures } from './wallet-figures.ts'
import { walletSizesFigures } from './wallet-sizes-figures.ts'
import { webhookFigures } from './webhook-figures.ts'

const PAGE = path.join(ROOT, 'docs/performance.md')
const [BEGIN, END] = ['<!-- measured -->', '<!-- /measured -->']
const ROUNDS = 5

type Measure = (rounds: number) => Promise<Figure[]>

const onEach =
  (measure: (engine: Engine, rounds: number) => Promise<Figure[]>): Measure =>
  async (rounds) => {
    const figures: Figure[] = []
    for (const engine of ENGINES) figures.push(...(await measure(engine, rounds)))
    return figures
  }

const MEASURES: Readonly<Record<string, Measure>> = {
  'sign-in': onEach((engine, rounds) => serverFigures(engine, 'sign-in', rounds)),
  passcode: onEach((engine, rounds) => serverFigures(engine, 'passcode', rounds)),
  read: onEach((engine, rounds) => serverFigures(engine, 'read', rounds)),
  latency: onEach((engine, rounds) => serverFigures(engine, 'latency', rounds)),
  relay: relayFigures,
  handshake: handshakeFigures,
  wallet: onEach(walletFigures),
  gatekeeper: gatekeeperFigures,
  'passport-status': onEach(passportStatusFigures),
  reviews: onEach(reviewFigures),
  admin: onEach(adminFigures),
  console: consoleFigures,
  evidence: evidenceFigures,
  'hosted-wallet': hostedWalletFigures,
  scim: scimFigures,
  webhooks: onEach(webhookFigures),
  import: onEach(importFigures),
  openid: onEach(openidFigures),
  telemetry: onEach(telemetryFigures),
  undelayed: undelayedFigures,
  start: onEach(startFigures),
  memory: onEach(memoryFigures),
  release: releaseFigures,
  organizations: organizationsFigures,
  size: onEach(sizeFigures),
  bytes: bytesFigures,
  keys: keysFigures,
  'wallet-sizes': walletSizesFigures,
  'client-sizes': clientSizesFigures,
  packages: packagesFigures,
  phone: phoneFigures,
  journey: journeyFigures,
  scanner: scannerFigures,
  'mobile-wallet': mobileWalletFigures,
  'mobile-scan': mobileScanFigures,
  'extension-size': extensionSizeFigures,
  extension: extensionFigures,
  transaction: onEach(transactionFigures),
  tracing: tracingFigures,
}

/** The day of the latest commit that changed an application or a package. */
const productChangedOn = () =>
  execFileSync('git', ['log', '-1', '--format=%cs', '--', 'apps', 'packages'], {
    cwd: ROOT,
    encoding: 'utf8',
  }).trim()

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { write: { type: 'boolean' }, rounds: { type: 'string' } },
})
const unknown = positionals.filter((name) => !(name in MEASURES))
const rounds = Number(values.rounds ?? ROUNDS)
if (unknown.length > 0 || !Number.isInteger(rounds) || rounds < 1) {
  console.error(
    `Unknown arguments. Figures: ${Object.keys(MEASURES).join(', ')}. Options: --rounds NUMBER, --write.`,
  )
  process.exit(2)
}

const loadBefore = loadavg()
await buildIfNeeded(process.execPath)
const figures: Figure[] = []
for (const [name, measure] of Object.entries(MEASURES)) {
  if (positionals.length > 0 && !positionals.includes(name)) continue
  console.error(`Measuring ${name} …`)
  const measured = await measure(rounds)
  for (const { figure, on, ours, ratio } of measured) {
    console.error(`  ${figure} (${on}): ${ours}, ratio ${ratio}`)
  }
  figures.push(...measured)
}
const measured = table(figures, rounds)
console.log(`${conditions(loadBefore)}\n\n${measured}`)
if (values.write) {
  const page = readFileSync(PAGE, 'utf8')
  const earlier = page.slice(page.indexOf(BEGIN) + BEGIN.length, page.indexOf(END))
  const rows = positionals.length === 0 ? '' : earlier.slice(earlier.indexOf('\n|'))
  const changedOn = productChangedOn()
  const text = `\n${conditions(loadBefore)}\n- The product last changed on ${changedOn}\n\n${updatedTable(rows, measured, changedOn)}\n`
  writeFileSync(PAGE, replaceBetween(page, BEGIN, END, text))
}
