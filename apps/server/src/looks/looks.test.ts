import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Organization } from '@portico/contracts/organization-file'
import { afterAll, expect, test } from 'vitest'
import { staticFile } from '../http/static-file.ts'
import { loadData } from '../load-data.ts'
import type { LoadedOrganizations } from '../organizations/organizations.ts'
import { logoContrast } from './logo-contrast.ts'
import { openLooks } from './looks.ts'

const SHIPPED = fileURLToPath(new URL('../../../../config', import.meta.url))

const folders: string[] = []
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true })
})

const WHITE = '<svg xmlns="http://www.w3.org/2000/svg" fill="#fff"><path d="M0 0h9v9z"/></svg>'
/** One white pixel. */
const WHITE_PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGP4DwABAQEAsTj2FAAAAABJRU5ErkJggg==',
  'base64',
)
const INK = '<svg xmlns="http://www.w3.org/2000/svg"><path d="M0 0h9v9z" style="fill:#111"/></svg>'

function organization(changes: object = {}, company: object = {}): Organization {
  return Organization.parse({
    orgCode: 'LENDER',
    canonicalOrgCode: 'LENDER',
    orgBrand: 'lender',
    hosts: [],
    brandColor: '#112233',
    companyInfo: {
      name: 'Lender',
      legalName: 'Lender LLC',
      logoPath: '/brand/white.svg',
      supportPhone: '8005550142',
      supportEmail: 'help@lender.example',
      nmlsNumber: '123',
      termsUrl: '/terms',
      privacyUrl: '/privacy',
      licensesUrl: '/licenses',
      electronicCommunicationsUrl: '/electronic',
      ...company,
    },
    products: [],
    pricing: [],
    behaviors: {},
    ...changes,
  })
}

/** An installation with one organization and labels without changes. */
async function looksOf(
  one: Organization,
  sheets: Readonly<Record<string, string>> = {},
  errors: string[] = [],
) {
  const folder = mkdtempSync(join(tmpdir(), 'portico-looks-'))
  folders.push(folder)
  mkdirSync(join(folder, 'styles'))
  for (const [file, text] of Object.entries(sheets)) {
    writeFileSync(join(folder, 'styles', file), text)
  }
  const organizations: LoadedOrganizations = {
    withCode: () => undefined,
    pictures: new Map([
      ['/brand/white.svg', staticFile('white.svg', Buffer.from(WHITE))],
      ['/brand/white.png', staticFile('white.png', WHITE_PNG)],
      ['/brand/ink.svg', staticFile('ink.svg', Buffer.from(INK))],
    ]),
    all: [one],
    standard: one,
    resolve: () => one,
    flags: () => ({}),
    codes: new Set([one.orgCode]),
  }
  return openLooks(folder, organizations, errors)
}

async function errorsOf(
  one: Organization,
  sheets?: Readonly<Record<string, string>>,
): Promise<readonly string[]> {
  const errors: string[] = []
  await looksOf(one, sheets, errors)
  return [...new Set(errors)]
}

test('1 every organization and label that ships has readable text and a visible logo', async () => {
  const { organizations, looks } = await loadData({
    configDir: SHIPPED,
    supportPhone: '8005550142',
  })
  expect(organizations.all.length).toBeGreaterThanOrEqual(60)
  for (const each of organizations.all) {
    const { css, icon, bars } = looks.of(each)
    expect(css).toContain('--brand:#')
    expect(icon).toMatch(/^(?:\/brand\/|data:image\/svg\+xml,)/)
    expect([bars.light, bars.dark].join()).toMatch(/^#\w{6},#\w{6}$/)
  }
})

test('1 a logo that is not visible on its background stops the start and says how to fix it', async () => {
  const pale = organization({ brandColor: '#ffee88' })
  expect(await errorsOf(pale)).toEqual([
    expect.stringMatching(
      /^organization LENDER: companyInfo\.logoPath \/brand\/white\.svg is not visible on its background #\w{6}: its best contrast is 1\.\d\d:1 and must be 3:1\. Use another color/,
    ),
  ])
  expect(await errorsOf(organization())).toEqual([])
  const drawn = { logoPath: '/brand/white.png' }
  expect(await errorsOf(organization({ brandColor: '#ffee88' }, drawn))).toEqual([
    expect.stringMatching(
      /^organization LENDER: companyInfo\.logoPath \/brand\/white\.png is not visible/,
    ),
  ])
  expect(await errorsOf(organization({}, drawn))).toEqual([])
  const partner = { name: 'Partner', logoPath: '/brand/ink.svg' }
  expect(await errorsOf(organization({ partner }))).toContainEqual(
    expect.stringMatching(
      /^organization LENDER: partner\.logoPath \/brand\/ink\.svg is not visible/,
    ),
  )
})

test('1 a brand may have a logo for each color scheme; a label’s panel shows the visible one', async () => {
  const logos = { logoPath: '/brand/ink.svg', darkLogoPath: '/brand/white.svg' }
  const pale = organization({ brandColor: '#ffee88' }, logos)
  const shown = (await looksOf(pale)).of(pale).organization.companyInfo
  expect(shown).toMatchObject(logos)

  const underLabel = organization({ brandColor: '#1f385b' }, logos)
  expect((await looksOf(underLabel)).of(underLabel).organization.companyInfo).toMatchObject({
    logoPath: '/brand/white.svg',
    darkLogoPath: '/brand/white.svg',
  })
})

test('9 a missing or invalid style sheet stops the start with file and line', async () => {
  const styled = organization({ styleSheetPath: 'lender.css' })
  expect(await errorsOf(styled)).toEqual([
    expect.stringMatching(/^organization LENDER: styleSheetPath lender\.css does not exist in /),
  ])
  expect(await errorsOf(styled, { 'lender.css': '\nbody { position: fixed }' })).toEqual([
    expect.stringMatching(/styles\/lender\.css:2: 'body' is not an allowed element/),
    expect.stringMatching(/styles\/lender\.css:2: position is not an allowed property/),
  ])
  const looks = await looksOf(styled, { 'lender.css': 'h1 { color: var(--brand-text) }' })
  expect(looks.of(styled).styleSheet).toMatch(/^\/brand\/styles\/lender\.[\w-]{10}\.css$/)
  expect(looks.styleSheets.map(({ css }) => css)).toEqual([
    '@layer organization{h1{color:var(--brand-text)}}',
  ])
})

test('2.3 the favicon is the brand’s file, else its initial in its colors', async () => {
  const named = organization({}, { name: '<Évian> & Co' })
  const drawn = decodeURIComponent((await looksOf(named)).of(named).icon)
  expect(drawn).toContain('fill="#112233"')
  expect(drawn).toContain('>&#60;</text>')
  const pictured = organization({}, { faviconPath: '/brand/lender-icon.png' })
  expect((await looksOf(pictured)).of(pictured).icon).toBe('/brand/lender-icon.png')
})

test('1 the colors of a logo are read from attributes and declarations; the default is black', () => {
  expect(logoContrast(WHITE, '#000000')).toBeCloseTo(21)
  expect(logoContrast(WHITE, '#ffffff')).toBeCloseTo(1)
  expect(logoContrast('<svg><path d="M0 0"/></svg>', '#ffffff')).toBeCloseTo(21)
  expect(logoContrast('<svg><path fill="none" stroke="white"/></svg>', '#000000')).toBeCloseTo(21)
  expect(logoContrast('<svg style="fill:#000000cc"/>', '#000000')).toBeCloseTo(1)
  expect(logoContrast('<svg fill="rebeccapurple"/>', '#663399')).toBe(Number.POSITIVE_INFINITY)
})
