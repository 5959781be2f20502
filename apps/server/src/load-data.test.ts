import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Organization } from '@portico/contracts/organization-file'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { exampleContacts } from './brands/example-contacts.ts'
import { parseConfig } from './config.ts'
import { ConfigError } from './config-error.ts'
import { loadData } from './load-data.ts'

const SHIPPED = fileURLToPath(new URL('../../../config', import.meta.url))

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'portico-data-'))
  cpSync(SHIPPED, folder, { recursive: true })
})
afterEach(() => rmSync(folder, { recursive: true }))

function writeFile(name: string, content: object | string): void {
  const text = typeof content === 'string' ? content : JSON.stringify(content)
  writeFileSync(join(folder, name), text)
}

const lender = (orgCode: string, changes: object = {}) => ({
  orgCode,
  orgBrand: orgCode.toLowerCase(),
  companyInfo: { name: 'Lender' },
  ...changes,
})

async function errors(): Promise<readonly string[]> {
  const thrown = await loadData(parseConfig({ CONFIG_DIR: folder })).catch(
    (error: unknown) => error,
  )
  if (!(thrown instanceof ConfigError)) throw new Error('The data was accepted')
  return thrown.errors.map((error) => error.replaceAll(`${folder}/`, ''))
}

test('1 errors of organizations, colors, style sheets and experiments are reported together', async () => {
  writeFile('organizations/quince.json', lender('QUINCE', { brandColor: 'red' }))
  writeFile('organizations/medlar.json', lender('MEDLAR', { styleSheetPath: 'medlar.css' }))
  writeFile(
    'organizations/sorrel.json',
    lender('SORREL', { companyInfo: { name: 'S', nmlsNumber: null } }),
  )
  writeFile('styles/harborline.css', 'h1 { position: fixed }')
  writeFile('experiments/partner-simplified-onboarding.json', {
    key: 'partner-simplified-onboarding',
    description: 'A simpler partner page.',
    on: true,
    percent: 50,
    onlyOrganizations: ['NOWHERE'],
  })
  const found = (await errors()).join('\n')
  expect(found).toContain('quince.json: brandColor must be a color written as #rrggbb')
  expect(found).toContain('MEDLAR: styleSheetPath medlar.css')
  expect(found).toContain(
    'sorrel.json: companyInfo.nmlsNumber must be a string; null removes only fields that may be absent',
  )
  expect(found).toContain('harborline.css')
  expect(found).toContain('onlyOrganizations contains NOWHERE')
})

test('1 only the invalid file is reported, not those that refer to it', async () => {
  writeFile('organizations/quince.json', lender('QUINCE', { brandColor: 'red' }))
  writeFile('organizations/branch.json', lender('BRANCH', { extends: 'QUINCE' }))
  writeFile('organizations/variant.json', lender('VARIANT', { canonicalOrgCode: 'QUINCE' }))
  writeFile('experiments/partner-simplified-onboarding.json', {
    key: 'partner-simplified-onboarding',
    description: 'A simpler partner page.',
    on: true,
    percent: 50,
    onlyOrganizations: ['QUINCE', 'BRANCH'],
  })
  expect(await errors()).toEqual([
    'organizations/quince.json: brandColor must be a color written as #rrggbb',
  ])
})

test('1 an error in the default organization does not hide errors in style sheets and experiments', async () => {
  writeFile('organizations/figure.json', '{')
  writeFile('styles/harborline.css', 'h1 { position: fixed }')
  writeFile('experiments/broker-agent-login.json', '{')
  const found = (await errors()).join('\n')
  expect(found).toContain('figure.json is not JSON')
  expect(found).toContain('harborline.css')
  expect(found).toContain('broker-agent-login.json is not JSON')
})

test('1 a file that is not JSON is the only one reported, even if others refer to its organization or label', async () => {
  const figure = readFileSync(join(folder, 'organizations/figure.json'), 'utf8')
  for (const broken of ['{', figure.replace(',', ''), figure.replace('"FIGURE"', 'FIGURE')]) {
    writeFile('organizations/figure.json', broken)
    expect(await errors()).toEqual([
      expect.stringContaining('organizations/figure.json is not JSON'),
    ])
  }
  writeFile('organizations/figure.json', figure)
  writeFile('labels/apollo.json', '{')
  expect(await errors()).toEqual([expect.stringContaining('labels/apollo.json is not JSON')])
})

test('1 the codes and hosts of an invalid file are still checked for conflicts with other files', async () => {
  writeFile('organizations/one.json', lender('QUINCE', { hosts: ['quince.example'] }))
  const two = lender('QUINCE', { orgBrand: 'figure', hosts: ['quince.example'] })
  writeFile('organizations/two.json', { ...two, brandColor: 'red' })
  const conflict = (value: string, owner: string) =>
    `organizations/two.json: ${value} is already used by organizations/${owner}; choose another`
  expect(await errors()).toEqual([
    'organizations/two.json: brandColor must be a color written as #rrggbb',
    conflict('orgCode QUINCE', 'one.json'),
    conflict('hosts quince.example', 'one.json'),
    conflict('orgBrand figure', 'figure-new-york.json'),
  ])
  // With an invalid canonicalOrgCode it is unknown whether this may share the brand.
  writeFile('organizations/two.json', {
    ...lender('MEDLAR', { orgBrand: 'figure' }),
    canonicalOrgCode: 7,
  })
  expect(await errors()).toEqual([expect.stringContaining('two.json: canonicalOrgCode')])
})

test('1 a logo without contrast is reported together with the other errors of its file', async () => {
  writeFileSync(
    join(folder, 'logos/ink.svg'),
    '<svg xmlns="http://www.w3.org/2000/svg" fill="#111"><path d="M0 0h9v9z"/></svg>',
  )
  const dim = {
    brandColor: '#112233',
    color: 'blue',
    behaviors: { registerLink: 7 },
    companyInfo: { name: 'Quince', logoPath: '/brand/ink.svg', termsUrl: 'javascript:alert(1)' },
  }
  writeFile('organizations/quince.json', lender('QUINCE', dim))
  const found = await errors()
  const about = (text: string) => found.filter((error) => error.includes(text)).length
  expect(about('quince.json: ')).toBe(3)
  expect(about('QUINCE: companyInfo.logoPath /brand/ink.svg is not visible')).toBeGreaterThan(0)
  // With an invalid color the background is unknown, so the logo is not checked.
  writeFile('organizations/quince.json', lender('QUINCE', { ...dim, brandColor: 'white' }))
  expect((await errors()).every((error) => error.includes('quince.json: '))).toBe(true)
})

test('1 a missing folder is reported with its setting', async () => {
  const missing = parseConfig({ CONFIG_DIR: join(folder, 'nowhere') })
  await expect(loadData(missing)).rejects.toThrow('nowhere does not exist')
})

test('webhooks: an error of an endpoint names its file and field, with all others', async () => {
  writeFile('organizations/quince.json', lender('QUINCE', { brandColor: '#8a1c5f' }))
  mkdirSync(join(folder, 'webhooks'))
  const endpoint = {
    id: 'application',
    organization: 'QUINCE',
    url: 'https://app.quince.example/webhooks',
    secrets: ['WEBHOOK_SECRET_QUINCE'],
    contact: 'engineers@quince.example',
  }
  writeFile('webhooks/one.json', endpoint)
  writeFile('webhooks/two.json', {
    ...endpoint,
    organization: 'NOWHERE',
    events: ['account.painted'],
  })
  writeFile('webhooks/three.json', {
    ...endpoint,
    organization: 'NOWHERE',
    url: 'http://10.0.0.7/',
  })
  writeFile('webhooks/four.json', { ...endpoint, id: 'four', secrets: ['PASSWORD'], secret: 'x' })
  expect(await errors()).toEqual([
    'webhooks/four.json: secrets.0 must be a variable such as WEBHOOK_SECRET_LENDER',
    'webhooks/four.json: secret is not a known field; see docs/webhooks.md for the list',
    'webhooks/two.json: events.0 must be a type of docs/webhooks.md',
    'webhooks/one.json: secrets names WEBHOOK_SECRET_QUINCE, which is not set',
    'webhooks/three.json: id application is already used by webhooks/one.json',
    'webhooks/three.json: organization is NOWHERE, but no organization has this code',
    'webhooks/three.json: url must be an https URL of a public host without a port, or of a host in WEBHOOK_HOSTS',
    'webhooks/three.json: secrets names WEBHOOK_SECRET_QUINCE, which is not set',
  ])
})

test.each([
  ['WEBHOOK_SECRET_A', 'secret'],
  ['WEBHOOK_SECRET_A', `whsec_${Buffer.alloc(23).toString('base64')}`],
  ['WEBHOOK_SECRET_A', `whsec_${Buffer.alloc(65).toString('base64')}`],
  ['WEBHOOK_SECRET_A', `whsec_${'!'.repeat(44)}`],
])('webhooks: a secret that is not of the convention stops the start: %s=%s', (name, secret) => {
  expect(() => parseConfig({ [name]: secret })).toThrow(`${name} must be whsec_`)
})

test("2.5 a new lender has no credit-score partner until its file names one; a variant has its lender's", async () => {
  const partner = { name: 'Score Keeper', logoPath: '/brand/credit-almanac.svg' }
  writeFile('organizations/quince.json', lender('QUINCE', { brandColor: '#8a1c5f' }))
  writeFile('organizations/medlar.json', lender('MEDLAR', { partner, brandColor: '#14532d' }))
  writeFile('organizations/medlar-west.json', lender('MEDLAR_WEST', { extends: 'MEDLAR' }))
  writeFile(
    'organizations/medlar-east.json',
    lender('MEDLAR_EAST', { extends: 'MEDLAR', partner: null }),
  )
  const {
    brands: { organizations },
  } = await loadData(parseConfig({ CONFIG_DIR: folder }))
  const partnerOf = (requested: string) =>
    organizations.resolve({ host: '', requested, remembered: undefined, label: null }).partner?.name
  expect([partnerOf('QUINCE'), partnerOf('MEDLAR')]).toEqual([undefined, 'Score Keeper'])
  expect([partnerOf('MEDLAR_WEST'), partnerOf('MEDLAR_EAST')]).toEqual(['Score Keeper', undefined])
})

test('every error in a file of a client is reported', async () => {
  const client = {
    clientId: 'quince-app',
    name: 'Quince',
    organization: 'NOWHERE',
    authentication: 'secret',
    redirectUris: ['http://localhost:3000/callback'],
  }
  writeFile('clients/quince-app.json', client)
  writeFile('clients/quince-copy.json', { ...client, organization: 'FIGURE', secretHashes: [] })
  writeFile('clients/medlar-app.json', {
    ...client,
    clientId: 'Medlar App',
    organization: 'FIGURE',
    redirectUris: ['https://user@medlar.example/', 'https://medlar.example/#x', 'medlar:/callback'],
    scopes: ['email'],
    secret: 'in plain text',
  })
  const found = (await errors()).join('\n')
  expect(found).toContain('quince-app.json: no organization has the code NOWHERE')
  expect(found).toContain('quince-app.json: http://localhost:3000/callback must begin with https')
  expect(found).toContain('quince-app.json: secretHashes must have entries')
  expect(found).toContain('quince-copy.json: clientId quince-app is already used by')
  expect(found).toContain('medlar-app.json: clientId must be lower-case letters')
  for (const index of [0, 1, 2]) {
    expect(found).toContain(`medlar-app.json: redirectUris.${index} must be an https address`)
  }
  expect(found).toContain('medlar-app.json: scopes must contain openid')
  expect(found).toContain(
    'medlar-app.json: secret is not a known field; see docs/openid-provider.md for the list',
  )
})

test('6 the default organization is the one that DEFAULT_ORGANIZATION names; others extend it', async () => {
  for (const name of readdirSync(join(folder, 'organizations'))) {
    rmSync(join(folder, 'organizations', name))
  }
  rmSync(join(folder, 'clients'), { recursive: true })
  const shipped = readFileSync(join(SHIPPED, 'organizations/figure.json'), 'utf8')
  const medlar = { ...JSON.parse(shipped), ...lender('MEDLAR') }
  const { companyInfo } = JSON.parse(shipped)
  writeFile('organizations/medlar.json', {
    ...medlar,
    companyInfo: { ...companyInfo, name: 'Medlar' },
  })
  writeFile('organizations/quince.json', lender('QUINCE'))
  expect(await errors()).toEqual([
    'organizations: no file has the orgCode FIGURE, which others extend; set DEFAULT_ORGANIZATION to the code of yours',
  ])
  const { brands } = await loadData(
    parseConfig({ CONFIG_DIR: folder, DEFAULT_ORGANIZATION: 'MEDLAR' }),
  )
  const { defaultOrganization, withCode } = brands.organizations
  expect(defaultOrganization.companyInfo.name).toBe('Medlar')
  expect(withCode('QUINCE')?.companyInfo.nmlsNumber).toBe(companyInfo.nmlsNumber)
})

test('9 production refuses made-up contacts in one sentence, unless they are allowed', async () => {
  const config = { ...parseConfig({ CONFIG_DIR: folder }), production: true }
  const { errors: found } = await loadData(config).then(
    () => ({ errors: [] }),
    (error: ConfigError) => error,
  )
  expect(found).toHaveLength(1)
  expect(found[0]).toMatch(
    /^CONFIG_DIR: 60 organizations have made-up contacts, such as ALDER_AND_VANE with companyInfo\.supportEmail \S+\.example\. Remove /,
  )
  expect(await loadData({ ...config, allowInsecure: ['CONFIG_DIR'] })).toBeDefined()
})

test('9 each kind of contact is checked, and real ones are accepted', async () => {
  const [organization] = (await loadData(parseConfig({ CONFIG_DIR: folder }))).brands.organizations
    .all
  if (organization === undefined) throw new Error('No organization')
  const real: Organization = {
    ...organization,
    hosts: ['login.example-lending.com'],
    companyInfo: {
      ...organization.companyInfo,
      supportEmail: 'help@example-lending.com',
      supportPhone: '8005559142',
    },
  }
  const withCompany = (changes: Partial<Organization['companyInfo']>): Organization => ({
    ...real,
    companyInfo: { ...real.companyInfo, ...changes },
  })
  expect(exampleContacts([real])).toBeUndefined()
  const madeUp: readonly (readonly [string, Organization])[] = [
    [
      'companyInfo.supportEmail help@lender.example',
      withCompany({ supportEmail: 'help@lender.example' }),
    ],
    ['companyInfo.supportPhone 800-555-0142', withCompany({ supportPhone: '800-555-0142' })],
    [
      'mailFrom.address no-reply@lender.example',
      { ...real, mailFrom: { address: 'no-reply@lender.example' } },
    ],
    ['hosts login.lender.example', { ...real, hosts: ['login.lender.example'] }],
  ]
  for (const [contact, each] of madeUp) {
    expect(exampleContacts([each])).toContain(
      `1 organization has made-up contacts, such as ${each.orgCode} with ${contact}.`,
    )
  }
})
