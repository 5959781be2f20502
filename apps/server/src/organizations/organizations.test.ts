import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { ConfigError } from '../config.ts'
import { loadOrganizations, organizationInfo } from './organizations.ts'

const SHIPPED = new URL('../../../../config/organizations/', import.meta.url)
const FIGURE = JSON.parse(readFileSync(new URL('figure.json', SHIPPED), 'utf8')) as {
  companyInfo: object
}

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'portico-organizations-'))
  put('figure.json', FIGURE)
})
afterEach(() => rmSync(folder, { recursive: true }))

function put(name: string, content: object | string): void {
  writeFileSync(join(folder, name), typeof content === 'string' ? content : JSON.stringify(content))
}

function faults(): readonly string[] {
  try {
    loadOrganizations(folder)
    return []
  } catch (error) {
    if (error instanceof ConfigError) return error.faults
    throw error
  }
}

test('1 every organisation that ships is valid', () => {
  expect(loadOrganizations(SHIPPED.pathname).all.length).toBeGreaterThan(5)
})

test('1 a fault names the file and the field, and all faults come together', () => {
  put('broken.json', '{')
  put('wrong.json', {
    ...FIGURE,
    orgCode: 'lower case',
    brandColour: 'red',
    companyInfo: { ...FIGURE.companyInfo, termsUrl: 'javascript:alert(1)' },
    colour: 'blue',
  })
  const found = faults()
  expect(found.some((fault) => fault.startsWith(join(folder, 'broken.json is not JSON')))).toBe(
    true,
  )
  const wrong = found.filter((fault) => fault.startsWith(join(folder, 'wrong.json')))
  for (const field of ['orgCode', 'brandColour', 'companyInfo.termsUrl', 'colour']) {
    expect(wrong.some((fault) => fault.includes(field))).toBe(true)
  }
})

test('6 an installation without FIGURE does not start', () => {
  put('figure.json', { ...FIGURE, orgCode: 'OTHER' })
  expect(faults()).toEqual([`${folder} has no organisation with the code FIGURE`])
})

test('1 two files that claim one code or one host name are a fault', () => {
  put('again.json', FIGURE)
  expect(faults()).toEqual([
    `${join(folder, 'figure.json')}: orgCode FIGURE is taken by ${join(folder, 'again.json')}`,
  ])
  put('again.json', { ...FIGURE, orgCode: 'OTHER', hosts: ['login.example'] })
  put('figure.json', { ...FIGURE, hosts: ['LOGIN.example'] })
  expect(faults()).toEqual([
    `${join(folder, 'figure.json')}: hosts login.example is taken by ${join(folder, 'again.json')}`,
  ])
})

test('1 a page belongs to its host name, else to the code asked for, else to the one kept', () => {
  put('lender.json', { ...FIGURE, orgCode: 'LENDER', hosts: ['Login.Lender.example'] })
  put('other.json', { ...FIGURE, orgCode: 'OTHER' })
  const { resolve, flags } = loadOrganizations(folder)
  const code = (host: string, asked?: string, kept?: string) =>
    resolve({ host, asked, kept }).orgCode
  expect(code('login.lender.EXAMPLE', 'OTHER', 'OTHER')).toBe('LENDER')
  expect(code('x', 'other', 'LENDER')).toBe('OTHER')
  expect(code('x', 'nobody', 'LENDER')).toBe('LENDER')
  expect(code('x', undefined, 'nobody')).toBe('FIGURE')
  expect(flags('OTHER')).toEqual({ FIGURE: false, LENDER: false, OTHER: true })
})

test('3 organisation info has the fields the pages read, and its own origin for a base', () => {
  const [figure] = loadOrganizations(folder).all
  if (figure === undefined) throw new Error('No organisation was read')
  expect(organizationInfo(figure, 'https://own.example')).toMatchObject({
    baseUrl: 'https://own.example',
    canonicalOrgCode: 'FIGURE',
    orgBrand: 'figure',
    orgCode: 'FIGURE',
    orgMetaData: { companyInfo: { name: 'Figure' } },
  })
})
