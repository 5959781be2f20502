/** A server with organizations and labels that contain an attack in every text that their schema allows. */
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Label } from '@portico/contracts/organization'
import { startServer } from '../../support/server-process.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const ROOT = fileURLToPath(new URL('../../../', import.meta.url))

/** Sets `pwned` if any text is interpreted as markup, in an attribute or in an element. */
export const SCRIPT = '\'"><img src=x onerror=pwned=1><script>pwned=1</script>'

const LINK = '/x"onerror="pwned=1"onload="pwned=1"><script>pwned=1</script>'

const HOSTILE_COMPANY = {
  // A surrogate pair first, because cutting it in half is invalid.
  name: `\u{1d4d5}</title>${SCRIPT}`,
  legalName: `</script><!--${SCRIPT}{{7*7}}\${pwned=1}`,
  // The formats of pictures and phones leave no room for an attack.
  logoPath: '/brand/figure.svg',
  supportEmail: "'onload'pwned'x@people.example",
  nmlsNumber: '2100200',
  badge: 'EHL',
  termsUrl: LINK,
  privacyUrl: `https://lender.example/"onclick="pwned=1"><script>pwned=1</script>`,
  licensesUrl: `/'onmouseover='pwned=1'`,
  electronicCommunicationsUrl: '/<script>pwned=1</script>',
}

const organization = (orgCode: string, loginHeading: string) => ({
  orgCode,
  // Two variants of one company share a brand.
  canonicalOrgCode: 'FIGURE',
  orgBrand: '"><script>pwned=1</script>',
  brandColor: '#2f4de0',
  companyInfo: HOSTILE_COMPANY,
  products: [{ code: '<script>pwned=1</script>', name: SCRIPT }],
  pricing: [
    { productCode: '<script>pwned=1</script>', minimumRatePercent: 7, maximumRatePercent: 14 },
  ],
  behaviors: { loginHeading, registerAt: 'register', registerReferrer: SCRIPT },
})

export interface HostileServer {
  readonly url: string
  readonly stop: () => Promise<void>
}

export async function startHostileServer(): Promise<HostileServer> {
  const folder = temporaryFolder()
  const writeJson = (file: string, content: object) =>
    writeFileSync(join(folder.path, file), JSON.stringify(content))
  for (const name of ['organizations', 'labels']) mkdirSync(join(folder.path, name))
  symlinkSync(join(ROOT, 'config/logos'), join(folder.path, 'logos'))
  writeJson('organizations/figure.json', organization('FIGURE', 'standard'))
  writeJson('organizations/heloc.json', organization('HOSTILE_HELOC', 'heloc'))
  for (const label of Label.options) {
    writeJson(`labels/${label}.json`, {
      label,
      name: SCRIPT,
      logoPath: `/brand/${label}.svg`,
      brandColor: '#007B63',
    })
  }
  const server = await startServer({ environment: { CONFIG_DIR: folder.path } }).catch(
    (error: unknown) => {
      folder.remove()
      throw error
    },
  )
  return {
    url: server.url,
    async stop() {
      await server.stop()
      folder.remove()
    },
  }
}
