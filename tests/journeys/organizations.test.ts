/** Organizations on a real server process with its own configuration folder. */
import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { sendToken } from '@portico/contracts/identity'
import type { PageData } from '@portico/contracts/page-data'
import { expect, test } from 'vitest'
import { rawRequest } from '../support/raw-request.ts'
import { startServer } from '../support/server-process.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const CONFIG = fileURLToPath(new URL('../../config', import.meta.url))

/** The required fields of a lender; the rest is inherited from the provider. */
const QUINCEFIELD = {
  orgCode: 'QUINCEFIELD',
  orgBrand: 'quincefield',
  hosts: ['login.quincefield.example'],
  brandColor: '#8a1c5f',
  companyInfo: {
    name: 'Quincefield Lending',
    legalName: 'Quincefield Lending LLC',
    nmlsNumber: '2299001',
    supportPhone: '800-555-0198',
    termsUrl: 'https://www.quincefield.example/terms',
  },
  behaviors: { loginHeading: 'heloc', registerReferrer: 'quince' },
  wallet: { walletName: 'Quince Vault', appleStoreUrl: 'https://apps.example/quince' },
  mailFrom: { address: 'hello@quincefield.example' },
}

/** A server with one additional organization. */
async function serverWith(file: object) {
  const folder = temporaryFolder()
  cpSync(CONFIG, folder.path, { recursive: true })
  writeFileSync(join(folder.path, 'organizations/quincefield.json'), JSON.stringify(file))
  const server = await startServer({ environment: { CONFIG_DIR: folder.path } })
  return {
    url: server.url,
    async [Symbol.asyncDispose]() {
      await server.stop()
      folder.remove()
    },
  }
}

function ask(url: string, lines: readonly string[], body = ''): Promise<string> {
  return rawRequest(url, [...lines, 'Connection: close', '', body].join('\r\n'))
}

function pageDataOf(html: string): PageData {
  const [, json = ''] = /id="page-data"[^>]*>([^<]*)</.exec(html) ?? []
  return JSON.parse(json) as PageData
}

test('1 one new file adds a lender, with login, page data, footer and mail', async () => {
  await using server = await serverWith(QUINCEFIELD)
  const html = await ask(server.url, [
    'GET /auth/login HTTP/1.1',
    'Host: login.quincefield.example',
    'Accept: text/html',
  ])
  for (const part of [
    '<title>Log in | Quincefield Lending</title>',
    'Log in to your HELOC account with Quincefield Lending',
    'referrer=quince',
    'href="https://www.quincefield.example/terms"',
    'href="/legal/figure/privacy"',
    '(800) 555-0198',
    'NMLS #2299001',
    'Equal Housing Opportunity',
    '--brand:#8a1c5f',
  ]) {
    expect(html).toContain(part)
  }
  const page = pageDataOf(html)
  expect(page.organization).toMatchObject({
    orgCode: 'QUINCEFIELD',
    canonicalOrgCode: 'QUINCEFIELD',
    orgBrand: 'quincefield',
    orgMetaData: { companyInfo: { name: 'Quincefield Lending', nmlsNumber: '2299001' } },
    orgPricingData: [{ productCode: 'HELOC' }],
  })
  expect(page.wallet).toMatchObject({
    walletName: 'Quince Vault',
    accountName: 'Figure Account',
    appleStoreUrl: 'https://apps.example/quince',
  })
  expect(Object.entries(page.flags).filter(([, own]) => own)).toEqual([['QUINCEFIELD', true]])
  expect(Object.keys(page.flags).length).toBe(61)

  const body = JSON.stringify({ email: 'quentin@people.example' })
  const sendTokenFrom = (orgCode: string) =>
    ask(
      server.url,
      [
        `POST ${sendToken.path} HTTP/1.1`,
        'Host: login.quincefield.example',
        'Content-Type: application/json',
        `X-Organization: ${orgCode}`,
        `Content-Length: ${Buffer.byteLength(body)}`,
      ],
      body,
    )
  // A lender's own host serves only that lender.
  expect(await sendTokenFrom('CEDAR_POINT')).toMatch(/^HTTP\/1\.1 400 /)
  expect(await sendTokenFrom('QUINCEFIELD')).toMatch(/^HTTP\/1\.1 200 /)
  const messages = await fetch(`${server.url}/dev/mailbox/messages?to=quentin@people.example`)
  const [mail] = (await messages.json()) as { from: string; subject: string; html: string }[]
  expect(mail?.from).toBe('Quincefield Lending <hello@quincefield.example>')
  expect(mail?.subject).toContain('Quincefield Lending')
  for (const part of ['Quincefield Lending LLC', '2299001', '#8a1c5f']) {
    expect(mail?.html).toContain(part)
  }
  expect(mail?.html).not.toContain('Figure')

  // Other organizations are unchanged.
  expect(await (await fetch(`${server.url}/auth/login`)).text()).toContain('Log in to Figure')
})

test('1 about sixty organizations: the four of the provider, and partners with every named behavior', async () => {
  const files = readdirSync(join(CONFIG, 'organizations')).map(
    (name) =>
      JSON.parse(readFileSync(join(CONFIG, 'organizations', name), 'utf8')) as {
        orgCode: string
        brandColor?: string
        companyInfo: { name: string; supportEmail: string; supportPhone?: string | null }
        behaviors?: Record<string, string>
      },
  )
  expect(files.length).toBe(60)
  expect(files.filter(({ orgCode }) => orgCode.startsWith('FIGURE')).length).toBe(4)
  const having = (name: string, value?: string) =>
    files.filter(({ behaviors = {} }) =>
      value === undefined ? behaviors[name] !== undefined : behaviors[name] === value,
    ).length
  // §2.3: two specific partner lenders, some partners, wholesale brands, one credit brand.
  expect(having('loginHeading', 'heloc')).toBe(2)
  expect(having('registerReferrer')).toBeGreaterThan(5)
  expect(having('registerLink', 'hidden')).toBeGreaterThan(2)
  expect(having('signerLink', 'hidden')).toBe(1)
  expect(having('registerAt', 'register')).toBeGreaterThan(10)
  expect(new Set(files.flatMap(({ brandColor = [] }) => brandColor)).size).toBeGreaterThan(55)
  for (const { companyInfo } of files) {
    expect(companyInfo.supportEmail).toMatch(/\.example$/)
    expect(companyInfo.supportPhone ?? '').toMatch(/^$|^(?:\+1 )?\(?800\)?[- ]?555-?01\d\d$/)
  }
})
