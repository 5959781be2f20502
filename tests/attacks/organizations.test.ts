/**
 * Brand data is untrusted until validated: for any content of a lender's file or logo, the server either does not start and
 * names the invalid field and file, or shows the content as plain text. Rendering in a browser is tested in
 * tests/browser/attacks.desktop.test.ts, mail in mail-links.test.ts.
 */
import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { rawRequest } from '../support/raw-request.ts'
import { StartFailure, startServer } from '../support/server-process.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { type HostileServer, SCRIPT, startHostileServer } from './support/hostile-server.ts'

const CONFIG = fileURLToPath(new URL('../../config', import.meta.url))

/** A copy of the shipped data for a test to corrupt. */
function corrupted(corrupt: (put: (file: string, content: unknown) => void, path: string) => void) {
  const folder = temporaryFolder()
  cpSync(CONFIG, folder.path, { recursive: true })
  corrupt((file, content) => {
    const text = typeof content === 'string' || content instanceof Buffer
    writeFileSync(join(folder.path, file), text ? content : JSON.stringify(content))
  }, folder.path)
  return folder
}

/** The result of a start with corrupted data. */
async function failedStart(corrupt: Parameters<typeof corrupted>[0]): Promise<StartFailure> {
  using folder = corrupted(corrupt)
  const failure = await startServer({ environment: { CONFIG_DIR: folder.path } }).then(
    async (server) => {
      await server.stop()
      return undefined
    },
    (error: unknown) => error,
  )
  if (failure instanceof StartFailure) return failure
  throw new Error('The server started', { cause: failure })
}

const lender = (changes: object = {}, company: object = {}) => ({
  orgCode: 'EVIL',
  orgBrand: 'evil',
  companyInfo: { name: 'Evil Lender', ...company },
  ...changes,
})

/** Organization files with one invalid field each, and the field. */
const WRONG_FIELDS: Readonly<Record<string, readonly [field: string, content: object]>> = {
  'link-script': ['companyInfo.termsUrl', lender({}, { termsUrl: 'javascript:alert(1)' })],
  'link-data': ['companyInfo.privacyUrl', lender({}, { privacyUrl: 'data:text/html,x' })],
  'link-other-host': ['companyInfo.licensesUrl', lender({}, { licensesUrl: '//evil.example' })],
  'link-backslash': ['companyInfo.termsUrl', lender({}, { termsUrl: '/\\evil.example' })],
  'link-http': ['companyInfo.termsUrl', lender({}, { termsUrl: 'http://evil.example' })],
  'link-password': ['companyInfo.termsUrl', lender({}, { termsUrl: 'https://a:b@evil.example/' })],
  'link-line': ['companyInfo.termsUrl', lender({}, { termsUrl: '/terms\n' })],
  'link-reversed': ['companyInfo.termsUrl', lender({}, { termsUrl: '/terms\u202e' })],
  'link-moved': ['behaviors.loginMovedTo', lender({ behaviors: { loginMovedTo: 'vbscript:x' } })],
  'wallet-link': ['wallet.extensionUrl', lender({ wallet: { extensionUrl: 'javascript:x' } })],
  'wallet-name': ['wallet.walletName', lender({ wallet: { walletName: 'Wal\u202elet' } })],
  'name-long': ['companyInfo.name', lender({}, { name: 'x'.repeat(10_000) })],
  'name-reversed': ['companyInfo.name', lender({}, { name: 'Evil \u202erednel' })],
  'name-marked': ['companyInfo.name', lender({}, { name: 'Ev\u200fil' })],
  'name-control': ['companyInfo.name', lender({}, { name: 'Evil\u001b[31m' })],
  'name-line': ['companyInfo.name', lender({}, { name: 'Evil\u2028Lender' })],
  'name-zero-width': ['companyInfo.legalName', lender({}, { legalName: 'Evil\u200bLender' })],
  'name-none': ['companyInfo.name', lender({}, { name: undefined })],
  'name-number': ['companyInfo.name', lender({}, { name: 7 })],
  'code-script': ['orgCode', lender({ orgCode: '<SCRIPT>' })],
  'brand-control': ['orgBrand', lender({ orgBrand: 'a\u0001b' })],
  'color-style': ['brandColor', lender({ brandColor: '#fff}*{display:none' })],
  'color-url': ['darkBrandColor', lender({ darkBrandColor: 'url(//evil.example)' })],
  'logo-remote': ['companyInfo.logoPath', lender({}, { logoPath: 'https://evil.example/x.svg' })],
  'logo-above': [
    'companyInfo.logoPath',
    lender({}, { logoPath: '/brand/../organizations/figure.json' }),
  ],
  'logo-missing': ['companyInfo.logoPath', lender({}, { logoPath: '/brand/nothing-there.svg' })],
  'name-spaces': ['companyInfo.name', lender({}, { name: '   ' })],
  'phone-none': ['companyInfo.supportPhone', lender({}, { supportPhone: '---------' })],
  'phone-script': ['companyInfo.supportPhone', lender({}, { supportPhone: '"><svg/onload=x>' })],
  'mail-line': [
    'companyInfo.supportEmail',
    lender({}, { supportEmail: 'a@b.example\nBcc: x@y.z' }),
  ],
  'host-port': ['hosts.0', lender({ hosts: ['evil.example:8080'] })],
  'host-star': ['hosts.0', lender({ hosts: ['*.evil.example'] })],
  'host-address': ['hosts.0', lender({ hosts: ['https://evil.example'] })],
  'base-script': ['baseUrl', lender({ baseUrl: 'javascript:alert(1)' })],
  'price-order': [
    'pricing.0.minimumRatePercent',
    lender({ pricing: [{ productCode: 'HELOC', minimumRatePercent: 9, maximumRatePercent: 1 }] }),
  ],
  'price-of-nothing': [
    'pricing.0.productCode',
    lender({ pricing: [{ productCode: 'GOLD', minimumRatePercent: 1, maximumRatePercent: 9 }] }),
  ],
  'license-alone': ['companyInfo.legalName', lender({}, { nmlsNumber: '1' })],
  'field-unknown': ['color', lender({ color: 'blue' })],
  'field-inside': ['companyInfo.onclick', lender({}, { onclick: 'alert(1)' })],
  'extends-itself': ['extends', lender({ orgCode: 'SELF', extends: 'SELF' })],
}

test('9 brand data: an unknown organization code stops the start, which names the file and the field', async () => {
  const { output, exitCode } = await failedStart((put) => {
    put('organizations/one.json', lender({ orgCode: 'ONE', orgBrand: 'one', extends: 'ABSENT' }))
    put(
      'organizations/two.json',
      lender({ orgCode: 'TWO', orgBrand: 'two', canonicalOrgCode: 'ABSENT' }),
    )
  })
  expect(exitCode).toBe(1)
  expect(output).toContain('organizations/one.json: extends ABSENT')
  expect(output).toContain('organizations/two.json: canonicalOrgCode ABSENT')
})

describe('a start with hostile files', () => {
  let output = ''
  let exitCode: number | null = 0

  beforeAll(async () => {
    const failure = await failedStart((put, path) => {
      for (const [index, [name, [, content]]] of Object.entries(WRONG_FIELDS).entries()) {
        const own = { orgCode: `EVIL_${index}`, orgBrand: `evil-${index}` }
        const organization = content as { orgCode: string; orgBrand: string }
        put(`organizations/${name}.json`, {
          ...organization,
          ...(organization.orgCode === 'EVIL' ? { orgCode: own.orgCode } : {}),
          ...(organization.orgBrand === 'evil' ? { orgBrand: own.orgBrand } : {}),
        })
      }
      put('organizations/broken.json', '{"orgCode": "BROKEN", \u001b[31m')
      put('organizations/bytes.json', Buffer.from([0x7b, 0xff, 0x7d]))
      put('organizations/large.json', ' '.repeat(70_000))
      put('organizations/list.json', '[]')
      put('organizations/nothing.json', 'null')
      put('organizations/empty.json', '')
      put('organizations/proto.json', '{"__proto__": {"orgCode": "X"}, "constructor": 1}')
      put('organizations/key.json', {
        ...lender({ orgCode: 'KEY', orgBrand: 'key' }),
        'a\u001b[2J': 1,
      })
      put('organizations/round-a.json', lender({ orgCode: 'A1', orgBrand: 'a1', extends: 'B1' }))
      put('organizations/round-b.json', lender({ orgCode: 'B1', orgBrand: 'b1', extends: 'C1' }))
      put('organizations/round-c.json', lender({ orgCode: 'C1', orgBrand: 'c1', extends: 'A1' }))
      put('organizations/twice-a.json', lender({ orgCode: 'TWICE', orgBrand: 'twice' }))
      put('organizations/twice-b.json', lender({ orgCode: 'TWICE', orgBrand: 'other' }))
      put('organizations/brand-b.json', lender({ orgCode: 'BRAND', orgBrand: 'figure' }))
      put(
        'organizations/host-b.json',
        lender({ orgCode: 'HOST', orgBrand: 'host', hosts: ['LOGIN.amberfield.example'] }),
      )
      mkdirSync(join(path, 'organizations/folder.json'))
      symlinkSync('round.json', join(path, 'organizations/round.json'))
      // A pipe without a writer, and a file name with terminal escapes.
      execFileSync('mkfifo', [join(path, 'organizations/pipe.json'), join(path, 'logos/pipe.svg')])
      put('organizations/name\u001b[2J\u202e\n.JSON', {})
      put('labels/fifth.json', {
        label: 'fifth',
        name: 'Fifth',
        logoPath: '/brand/apollo.svg',
        brandColor: '#000000',
      })
      put('labels/again.json', {
        label: 'hamilton',
        name: 'Hamilton',
        logoPath: '/brand/nothing.svg',
        brandColor: '#1f385b',
      })
      rmSync(join(path, 'labels/outpost.json'))
      const svg = (inside: string, more = '') =>
        `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"${more}>${inside}</svg>`
      put('logos/script.svg', svg('<script>alert(1)</script>'))
      put('logos/handler.svg', svg('', ' onload="alert(1)"'))
      put('logos/foreign.svg', svg('<foreignObject><b/></foreignObject>'))
      put('logos/remote.svg', svg('<image href="https://evil.example/x.png"/>'))
      put('logos/paint.svg', svg('<path fill="url(https://evil.example/#x)"/>'))
      put('logos/entity.svg', `<!DOCTYPE svg [<!ENTITY x "y">]>${svg('&x;')}`)
      put('logos/page.svg', '<html><script>alert(1)</script></html>')
      put('logos/page.png', '<html><script>alert(1)</script></html>')
      put('logos/vast.svg', svg(' '.repeat(200_000)))
    })
    output = failure.output
    exitCode = failure.exitCode
  })

  const lineOf = (file: string, what: string) =>
    output.split('\n').filter((line) => line.includes(`/${file}`) && line.includes(what))

  for (const [name, [field]] of Object.entries(WRONG_FIELDS)) {
    test(`9 brand data: ${name} stops the start, which names the file and ${field}`, () => {
      expect(
        lineOf(`organizations/${name}.json:`, ` ${field} `),
        output.slice(0, 4000),
      ).not.toEqual([])
    })
  }

  test.each([
    ['organizations/broken.json', 'is not JSON'],
    ['organizations/bytes.json', 'is not JSON'],
    ['organizations/large.json', 'has 70000 bytes; the maximum is 65536'],
    ['organizations/list.json', 'the file must be an object in braces'],
    ['organizations/nothing.json', 'the file must be an object in braces'],
    ['organizations/empty.json', 'is not JSON'],
    ['organizations/proto.json', 'orgCode is missing'],
    ['organizations/key.json', 'is not a known field'],
    ['organizations/round-', 'which makes a cycle'],
    ['organizations/twice-b.json', 'orgCode TWICE is already used by'],
    ['organizations/brand-b.json', 'orgBrand figure is already used by'],
    ['organizations/host-b.json', 'hosts login.amberfield.example is already used by'],
    ['organizations/folder.json', 'cannot be read'],
    ['organizations/round.json', 'cannot be read'],
    ['organizations/pipe.json', 'it is not a regular file'],
    ['organizations/name', 'orgCode is missing'],
    ['logos/pipe.svg', 'it is not a regular file'],
    ['labels/fifth.json', 'label must be apollo, hamilton, outpost or novawulf'],
    ['labels/hamilton.json', 'label hamilton is already used by'],
    ['labels/again.json', 'logoPath /brand/nothing.svg does not exist'],
    ['logos/script.svg', 'contains <script>'],
    ['logos/handler.svg', 'has onload on <svg>'],
    ['logos/foreign.svg', 'contains <foreignObject>'],
    ['logos/remote.svg', 'contains <image>'],
    ['logos/paint.svg', 'outside the file in fill on <path>'],
    ['logos/entity.svg', 'cannot be read at'],
    ['logos/page.svg', 'does not begin with an <svg> element'],
    ['logos/page.png', 'is not a PNG picture'],
    ['logos/vast.svg', 'the maximum is'],
  ])('9 brand data: %s is reported with all the others: %s', (file, what) => {
    expect(lineOf(file, what), output.slice(0, 4000)).not.toEqual([])
  })

  test('9 brand data: a label that is missing is named, and the server has not started', () => {
    expect(output).toContain('labels: no file has the label outpost')
    expect(output).not.toContain('Portico is ready')
    expect(exitCode).toBe(1)
  })

  test('9 brand data: start-up errors write only text to the terminal', () => {
    expect(output.replaceAll('\n', '')).not.toMatch(/\p{C}/u)
    expect(Math.max(...output.split('\n').map((line) => line.length))).toBeLessThan(1000)
  })
})

test('9 brand data: without its provider an installation reports that one error, not sixty', async () => {
  const { output } = await failedStart((_put, path) =>
    rmSync(join(path, 'organizations/figure.json')),
  )
  expect(output).toContain('no file has the orgCode FIGURE')
  expect(output.split('\n').filter((line) => line.startsWith('  - ')).length).toBeLessThan(8)
})

describe('a server with hostile texts', () => {
  let server: HostileServer
  beforeAll(async () => {
    server = await startHostileServer()
  })
  afterAll(async () => {
    await server.stop()
  })

  test('9 brand data: a directly opened logo may run and load nothing', async () => {
    const response = await fetch(`${server.url}/brand/figure.svg`)
    const policy = response.headers.get('content-security-policy') ?? ''
    expect(policy.split('; ')).toEqual(expect.arrayContaining(["default-src 'none'", 'sandbox']))
    expect(policy).not.toMatch(/script-src|unsafe/)
    expect(response.headers.get('x-content-type-options')).toBe('nosniff')
    expect(response.headers.get('content-type')).toBe('image/svg+xml')
    for (const path of [
      '/brand/..%2flabels%2fapollo.json',
      '/brand/%2e%2e/x',
      '/brand/figure.SVG',
    ]) {
      expect((await fetch(`${server.url}${path}`)).status, path).toBe(404)
    }
  })

  test('9 brand data: texts of organization and label are complete and escaped in the page data', async () => {
    const html = await (await fetch(`${server.url}/auth/login?label=apollo`)).text()
    const [, json = ''] = /id="page-data"[^>]*>([^<]*)<\/script>/.exec(html) ?? []
    const page = JSON.parse(json) as {
      label: { name: string }
      organization: { orgMetaData: { companyInfo: { legalName: string } } }
    }
    expect(page.label.name).toBe(SCRIPT)
    expect(page.organization.orgMetaData.companyInfo.legalName).toContain('</script><!--')
    expect(json).not.toMatch(/[<\u2028\u2029]/)
  })

  test.each(['__proto__', 'constructor', 'toString', 'FIGURE%00', '%F0%9F', 'x'.repeat(6000)])(
    '6 the code %s is unknown, and the page is the default organization’s',
    async (code) => {
      const response = await fetch(`${server.url}/auth/login?orgCode=${code}`)
      expect(response.status).toBe(200)
      expect(response.headers.get('set-cookie')).toContain('portico-organization=FIGURE;')
    },
  )

  test('9 a forged Host or forwarded host changes neither a page’s links nor its organization', async () => {
    for (const host of ['evil.example', 'evil.example:1', '6.6.6.6', '__proto__']) {
      const answer = await rawRequest(
        server.url,
        `GET /auth/login HTTP/1.1\r\nHost: ${host}\r\nX-Forwarded-Host: evil.example\r\nForwarded: host=evil.example\r\nAccept: text/html\r\nConnection: close\r\n\r\n`,
      )
      expect(answer, host).toMatch(/^HTTP\/1\.1 200 /)
      expect(answer, host).toContain('portico-organization=FIGURE;')
      expect(answer, host).not.toMatch(/evil\.example|6\.6\.6\.6/)
    }
  })
})
