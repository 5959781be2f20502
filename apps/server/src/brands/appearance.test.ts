import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Organization } from '@portico/contracts/organization-file'
import { afterAll, expect, test } from 'vitest'
import { parseConfig } from '../config.ts'
import { loadData } from '../load-data.ts'
import { openAppearances } from './appearance.ts'
import { readPictures, readStyleSheets } from './brand-files.ts'
import { logoContrast } from './logo.ts'
import { type BrandError, brandErrorText } from './organization-errors.ts'
import { readSvg } from './svg.ts'

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
const INK = '<svg xmlns="http://www.w3.org/2000/svg"><path d="M0 0h9v9z" fill="#111"/></svg>'

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

/** The appearance of the brands of an installation with one organization. */
async function appearances(
  one: Organization,
  sheets: Readonly<Record<string, string>> = {},
  errors: string[] = [],
) {
  const folder = mkdtempSync(join(tmpdir(), 'portico-brands-'))
  folders.push(folder)
  for (const name of ['styles', 'logos']) mkdirSync(join(folder, name))
  for (const [file, text] of Object.entries(sheets)) {
    writeFileSync(join(folder, 'styles', file), text)
  }
  writeFileSync(join(folder, 'logos/white.svg'), WHITE)
  writeFileSync(join(folder, 'logos/white.png'), WHITE_PNG)
  writeFileSync(join(folder, 'logos/ink.svg'), INK)
  const pictures = readPictures(folder, errors)
  const styleSheets = await readStyleSheets(folder, errors)
  const found: BrandError[] = []
  const appearanceOf = openAppearances([one], { configDir: folder, pictures, styleSheets }, found)
  errors.push(...found.map(brandErrorText))
  return { appearanceOf, styleSheets: [...styleSheets.values()] }
}

async function errorsOf(
  one: Organization,
  sheets?: Readonly<Record<string, string>>,
): Promise<readonly string[]> {
  const errors: string[] = []
  await appearances(one, sheets, errors)
  return [...new Set(errors)]
}

test('1 every organization and label that ships has readable text and a visible logo', async () => {
  const { brands } = await loadData(parseConfig({ CONFIG_DIR: SHIPPED }))
  expect(brands.organizations.all.length).toBeGreaterThanOrEqual(60)
  for (const each of brands.organizations.all) {
    const { css, icon, toolbarColors } = brands.appearanceOf(each)
    expect(css).toContain('--brand:#')
    expect(icon).toMatch(/^(?:\/brand\/|data:image\/svg\+xml,)/)
    expect([toolbarColors.light, toolbarColors.dark].join()).toMatch(/^#\w{6},#\w{6}$/)
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
  const shown = (await appearances(pale)).appearanceOf(pale).organization.companyInfo
  expect(shown).toMatchObject(logos)

  const underLabel = organization({ brandColor: '#1f385b' }, logos)
  expect(
    (await appearances(underLabel)).appearanceOf(underLabel).organization.companyInfo,
  ).toMatchObject({
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
  const styles = await appearances(styled, { 'lender.css': 'h1 { color: var(--brand-text) }' })
  expect(styles.appearanceOf(styled).styleSheet).toMatch(
    /^\/brand\/styles\/lender\.[\w-]{10}\.css$/,
  )
  expect(styles.styleSheets.map(({ css }) => css)).toEqual([
    '@layer organization{h1{color:var(--brand-text)}}',
  ])
})

test('2.3 the favicon is the brand’s file, else its initial in its colors', async () => {
  const named = organization({}, { name: '<Évian> & Co' })
  const drawn = decodeURIComponent((await appearances(named)).appearanceOf(named).icon)
  expect(drawn).toContain('fill="#112233"')
  expect(drawn).toContain('>&#60;</text>')
  const pictured = organization({}, { faviconPath: '/brand/lender-icon.png' })
  expect((await appearances(pictured)).appearanceOf(pictured).icon).toBe('/brand/lender-icon.png')
})

test('1 the colors of a logo are read from its paint attributes; the default is black', () => {
  const contrastOf = (svg: string, background: string) =>
    logoContrast(readSvg(svg).colors, background)
  expect(contrastOf(WHITE, '#000000')).toBeCloseTo(21)
  expect(contrastOf(WHITE, '#ffffff')).toBeCloseTo(1)
  expect(contrastOf('<svg><path d="M0 0"/></svg>', '#ffffff')).toBeCloseTo(21)
  expect(contrastOf('<svg><path fill="none" stroke="white"/></svg>', '#000000')).toBeCloseTo(21)
  expect(contrastOf('<svg fill="#000000cc"/>', '#000000')).toBeCloseTo(1)
  expect(contrastOf('<svg fill="rebeccapurple"/>', '#663399')).toBe(Number.POSITIVE_INFINITY)
})
