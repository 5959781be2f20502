import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { MAX_ORGANIZATION_FLAGS } from '@portico/contracts/limits'
import { Behaviors, CompanyInfo, Label } from '@portico/contracts/organization'
import { LabelFile, OrganizationFile } from '@portico/contracts/organization-file'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { readPictures } from './brand-files.ts'
import { openOrganizations, organizationInfo, readOrganizationFiles } from './brands.ts'
import { inheritOrganizations } from './inheritance.ts'
import { type BrandError, brandErrorText } from './organization-errors.ts'

const SHIPPED = fileURLToPath(new URL('../../../../config', import.meta.url))
const FIGURE = JSON.parse(readFileSync(join(SHIPPED, 'organizations/figure.json'), 'utf8')) as {
  companyInfo: object
}

const SETTINGS = { supportPhone: '8005550199', defaultOrgCode: 'FIGURE' }

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'portico-organizations-'))
  mkdirSync(join(folder, 'organizations'))
  for (const shared of ['labels', 'logos']) symlinkSync(join(SHIPPED, shared), join(folder, shared))
  writeOrganization('figure.json', FIGURE)
})
afterEach(() => rmSync(folder, { recursive: true }))

function writeOrganization(name: string, content: object | string): void {
  writeFileSync(at(name), typeof content === 'string' ? content : JSON.stringify(content))
}

function read(configDir: string, errors: string[]) {
  const files = readOrganizationFiles(configDir, errors)
  const pictures = readPictures(configDir, errors)
  const found: BrandError[] = []
  const organizations = openOrganizations({ ...files, pictures, ...SETTINGS }, found)
  errors.push(...found.map(brandErrorText))
  return organizations
}

function load(configDir: string) {
  const errors: string[] = []
  const organizations = read(configDir, errors)
  if (organizations === undefined || errors.length > 0) throw new Error(errors.join('\n'))
  return organizations
}

const at = (name: string) => join(folder, 'organizations', name)

/** A file with the required fields only. */
const minimal = (orgCode: string, changes: object = {}) => ({
  orgCode,
  orgBrand: orgCode.toLowerCase(),
  companyInfo: { name: 'Lender' },
  ...changes,
})

function errors(): readonly string[] {
  const errors: string[] = []
  read(folder, errors)
  return errors
}

test('1 every organization that ships is valid', () => {
  expect(load(SHIPPED).all.length).toBeGreaterThan(5)
})

test('1 an error names the file and the field, and all errors are reported together', () => {
  writeOrganization('broken.json', '{')
  writeOrganization('wrong.json', {
    ...FIGURE,
    orgCode: 'lower case',
    brandColor: 'red',
    companyInfo: { ...FIGURE.companyInfo, termsUrl: 'javascript:alert(1)' },
    color: 'blue',
  })
  const found = errors()
  expect(found.some((error) => error.startsWith(`${at('broken.json')} is not JSON`))).toBe(true)
  const wrong = found.filter((error) => error.startsWith(at('wrong.json')))
  for (const field of ['orgCode', 'brandColor', 'companyInfo.termsUrl', 'color']) {
    expect(wrong.some((error) => error.includes(field))).toBe(true)
  }
})

test('6 an installation without FIGURE does not start', () => {
  writeOrganization('figure.json', { ...FIGURE, orgCode: 'OTHER' })
  expect(errors()).toEqual([
    'organizations: no file has the orgCode FIGURE, which others extend; set DEFAULT_ORGANIZATION to the code of yours',
  ])
})

test('1 two files with the same code or host name are an error', () => {
  writeOrganization('again.json', FIGURE)
  expect(errors()).toEqual([
    `${at('figure.json')}: orgCode FIGURE is already used by ${at('again.json')}; choose another`,
  ])
  writeOrganization('again.json', {
    ...FIGURE,
    orgCode: 'OTHER',
    orgBrand: 'other',
    hosts: ['login.example'],
  })
  writeOrganization('figure.json', { ...FIGURE, hosts: ['LOGIN.example'] })
  expect(errors()).toEqual([
    `${at('figure.json')}: hosts login.example is already used by ${at('again.json')}; choose another`,
  ])
})

test('1 of two files with the same code only the second is reported, not those that extend the first', () => {
  writeOrganization('lender.json', minimal('LENDER'))
  writeOrganization('next.json', minimal('NEXT', { extends: 'LENDER' }))
  writeOrganization('other.json', {
    ...FIGURE,
    orgCode: 'LENDER',
    orgBrand: 'other',
    extends: 'NEXT',
  })
  expect(errors()).toEqual([
    `${at('other.json')}: orgCode LENDER is already used by ${at('lender.json')}; choose another`,
  ])
})

test('1 a very long chain of extensions is resolved in any file order', () => {
  const provider = { name: 'figure.json', content: OrganizationFile.parse(FIGURE) }
  const line = Array.from({ length: 12_000 }, (_, at) => ({
    name: `${at}.json`,
    content: OrganizationFile.parse(
      minimal(`LENDER_${at}`, { extends: at === 0 ? 'FIGURE' : `LENDER_${at - 1}` }),
    ),
  }))
  const found: BrandError[] = []
  const files = [...line.toReversed(), provider]
  const orgCodes = new Set(files.map(({ content }) => content.orgCode))
  expect(inheritOrganizations(files, { ...SETTINGS, orgCodes }, found)).toHaveLength(12_001)
  expect(found).toEqual([])
})

test('1 the organization of a page is that of its host name, else the requested code, else the remembered one', () => {
  writeOrganization('lender.json', {
    ...FIGURE,
    orgCode: 'LENDER',
    orgBrand: 'lender',
    hosts: ['Login.Lender.example'],
  })
  writeOrganization('other.json', { ...FIGURE, orgCode: 'OTHER', orgBrand: 'other' })
  const { resolve, flags } = load(folder)
  const code = (host: string, requested?: string, remembered?: string) =>
    resolve({ host, requested, remembered, label: null }).orgCode
  expect(code('login.lender.EXAMPLE', 'OTHER', 'OTHER')).toBe('LENDER')
  expect(code('login.lender.example.', 'OTHER')).toBe('LENDER')
  expect(code('x', 'other', 'LENDER')).toBe('OTHER')
  expect(code('x', 'unknown', 'LENDER')).toBe('LENDER')
  expect(code('x', undefined, 'unknown')).toBe('FIGURE')
  expect(flags('OTHER')).toEqual({ FIGURE: false, LENDER: false, OTHER: true })
})

test('3 organization info has the fields that pages read, with its own origin as base URL', () => {
  const [figure] = load(folder).all
  if (figure === undefined) throw new Error('No organization was read')
  expect(organizationInfo(figure, 'https://own.example')).toMatchObject({
    baseUrl: 'https://own.example',
    canonicalOrgCode: 'FIGURE',
    orgBrand: 'figure',
    orgCode: 'FIGURE',
    orgMetaData: { companyInfo: { name: 'Figure' } },
  })
})

test('1 a missing field is inherited from the extended organization, and null removes an inherited one', () => {
  writeOrganization(
    'lender.json',
    minimal('LENDER', {
      companyInfo: {
        name: 'Lender',
        supportPhone: null,
        legalName: 'Lender Inc.',
        nmlsNumber: '1',
      },
      behaviors: { loginHeading: 'heloc' },
    }),
  )
  writeOrganization(
    'branch.json',
    minimal('BRANCH', { extends: 'LENDER', companyInfo: { name: 'Branch' } }),
  )
  const { resolve, defaultOrganization } = load(folder)
  const branch = resolve({ host: '', requested: 'BRANCH', remembered: undefined, label: null })
  expect(branch).toMatchObject({
    orgCode: 'BRANCH',
    canonicalOrgCode: 'BRANCH',
    brandColor: defaultOrganization.brandColor,
    companyInfo: { name: 'Branch', legalName: 'Lender Inc.', badge: 'EHO' },
    behaviors: { loginHeading: 'heloc', registerLink: 'shown' },
  })
  // §9: the badge is not inherited from another company, so it is the default.
  expect(defaultOrganization.companyInfo.badge).toBe('EHL')
  // §9: the fallback support phone.
  expect(branch.companyInfo.supportPhone).toBe('8005550199')
})

test('9 a label overrides the color and logo of its organization', () => {
  const { resolve } = load(folder)
  const withLabel = (label: Label | null) =>
    resolve({ host: '', requested: undefined, remembered: undefined, label })
  expect(Label.options.map((label) => withLabel(label).brandColor)).toEqual([
    '#007B63',
    '#1f385b',
    '#005288',
    '#1E3464',
  ])
  expect(withLabel('apollo')).toMatchObject({
    label: { code: 'apollo', name: 'Apollo', logoPath: '/brand/apollo.svg' },
    companyInfo: { name: 'Figure' },
  })
  expect(withLabel('apollo')).toBe(withLabel('apollo'))
  expect(withLabel(null).label).toBeUndefined()
})

test('1 the documentation for lenders lists every field', () => {
  const page = readFileSync(
    fileURLToPath(new URL('../../../../docs/white-label.md', import.meta.url)),
    'utf8',
  )
  const fields = [
    ...Object.keys(OrganizationFile.shape),
    ...Object.keys(LabelFile.shape),
    ...Object.keys(CompanyInfo.shape),
    ...Object.keys(Behaviors.shape),
  ]
  const listed = new Set([...page.matchAll(/`(?:companyInfo\.)?(\w+)`/g)].map(([, name]) => name))
  expect(fields.filter((field) => !listed.has(field) && field !== 'companyInfo')).toEqual([])
})

test('1 with very many organizations a page carries only its own flag', () => {
  for (let index = 0; index < MAX_ORGANIZATION_FLAGS; index += 1) {
    writeOrganization(`lender-${index}.json`, minimal(`LENDER_${index}`))
  }
  const { all, flags } = load(folder)
  expect(all.length).toBe(MAX_ORGANIZATION_FLAGS + 1)
  expect(flags('LENDER_7')).toEqual({ LENDER_7: true })
})
