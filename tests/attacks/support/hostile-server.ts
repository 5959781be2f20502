/**
 * A server whose organisations hold nothing but attacks: in every text that their schema lets through. It is a copy of
 * the sources beside a configuration folder of its own, with everything else as it stands.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const ROOT = fileURLToPath(new URL('../../../', import.meta.url))
const READY = /^Portico is ready: (\S+)\/auth\/login$/m

/** What would set `pwned` if any text were taken for markup, in an attribute or in an element. */
export const SCRIPT = '\'"><img src=x onerror=pwned=1><script>pwned=1</script>'

const LINK = '/x"onerror="pwned=1"onload="pwned=1"><script>pwned=1</script>'

const HOSTILE_COMPANY = {
  // A character of two units first: half of one is no text.
  name: `\u{1d4d5}</title>${SCRIPT}`,
  legalName: `</script><!--${SCRIPT}{{7*7}}\${pwned=1}`,
  // Pictures and phones have forms that leave no room for an attack.
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
  orgBrand: '"><script>pwned=1</script>',
  brandColour: '#2f4de0',
  companyInfo: HOSTILE_COMPANY,
  products: [{ code: '<script>pwned=1</script>', name: SCRIPT }],
  pricing: [{ productCode: SCRIPT.slice(0, 40), minimumRatePercent: 7, maximumRatePercent: 14 }],
  behaviors: { loginHeading, registerAt: 'register', registerReferrer: SCRIPT },
})

/** A hostile server that is ready. */
export interface HostileServer {
  readonly url: string
  readonly stop: () => Promise<void>
}

/** Starts it. */
export async function startHostileServer(): Promise<HostileServer> {
  const folder = temporaryFolder()
  const server = join(folder.path, 'apps/server')
  mkdirSync(join(folder.path, 'config/organizations'), { recursive: true })
  mkdirSync(server, { recursive: true })
  cpSync(join(ROOT, 'apps/server/src'), join(server, 'src'), { recursive: true })
  cpSync(join(ROOT, 'apps/server/package.json'), join(server, 'package.json'))
  for (const path of [
    'node_modules',
    'apps/auth',
    'apps/portal',
    'apps/wallet',
    'config/logos',
    'config/labels',
  ]) {
    symlinkSync(join(ROOT, path), join(folder.path, path))
  }
  for (const [code, heading] of [
    ['FIGURE', 'standard'],
    ['HOSTILE_HELOC', 'heloc'],
  ] as const) {
    writeFileSync(
      join(folder.path, `config/organizations/${code}.json`),
      JSON.stringify(organization(code, heading)),
    )
  }
  const child = spawn(process.execPath, [join(server, 'src/main.ts')], {
    env: {
      PATH: process.env['PATH'],
      PORT: '0',
      DATA_DIR: join(folder.path, 'data'),
      LOG_LEVEL: 'warn',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const end = () => child.kill('SIGKILL')
  process.once('exit', end)
  try {
    const url = await readyAt(child)
    return {
      url,
      async stop() {
        process.off('exit', end)
        const gone = once(child, 'exit')
        child.kill('SIGTERM')
        await gone
        folder.remove()
      },
    }
  } catch (error) {
    folder.remove()
    throw error
  }
}

function readyAt(child: ChildProcess): Promise<string> {
  let output = ''
  return new Promise((resolve, reject) => {
    const hear = (chunk: Buffer) => {
      output += chunk
      const [, url] = READY.exec(output) ?? []
      if (url !== undefined) resolve(url)
    }
    child.stdout?.on('data', hear)
    child.stderr?.on('data', hear)
    child.once('close', () => reject(new Error(`The hostile server did not start.\n${output}`)))
  })
}
