import { CompanyInfo, LENDER_BADGES, type OrganizationInfo } from '@portico/contracts/organization'
import { expect, test } from 'vitest'
import { branding, hyphenatedName } from './branding.ts'

const COMPANY: OrganizationInfo['orgMetaData']['companyInfo'] = {
  name: 'Quincefield',
  legalName: 'Quincefield Lending LLC',
  logoPath: '/brand/quincefield.svg',
  supportPhone: '+1 800 555 0199',
  supportEmail: 'help@quincefield.example',
  nmlsNumber: '7',
  badge: 'EHO',
  termsUrl: '/terms',
  privacyUrl: '/privacy',
  licensesUrl: '/licenses',
  electronicCommunicationsUrl: '/electronic-communications',
}

const info = (company: Partial<typeof COMPANY> = {}): OrganizationInfo => ({
  baseUrl: 'https://login.quincefield.example',
  canonicalOrgCode: 'QUINCEFIELD',
  orgBrand: 'quincefield',
  orgCode: 'QUINCEFIELD',
  orgMetaData: {
    companyInfo: { ...COMPANY, ...company },
    products: [
      { code: 'HELOC', name: 'Home equity line of credit' },
      { code: 'BRIDGE', name: 'Bridge loan' },
    ],
  },
  orgPricingData: [
    { productCode: 'HELOC', minimumRatePercent: 7, maximumRatePercent: 9 },
    { productCode: 'HELOC', minimumRatePercent: 8, maximumRatePercent: 12 },
  ],
})

test('1 a branding helper gives logo path, merged metadata and pricing data', () => {
  const { logoPath, metaData, offers } = branding(info())
  expect(logoPath).toBe('/brand/quincefield.svg')
  expect(metaData).toEqual(info().orgMetaData)
  expect(offers.map(({ name, pricing }) => [name, pricing.length])).toEqual([
    ['Home equity line of credit', 2],
    ['Bridge loan', 0],
  ])
})

test('9 lender badge mapping: EHL, EOL, and EHO, which is the default', () => {
  expect(LENDER_BADGES).toEqual({
    EHL: 'Equal Housing Lender',
    EOL: 'Equal Opportunity Lender',
    EHO: 'Equal Housing Opportunity',
  })
  for (const badge of ['EHL', 'EOL', 'EHO'] as const) {
    expect(branding(info({ badge })).badge).toBe(LENDER_BADGES[badge])
  }
  const { badge: _, ...withoutBadge } = COMPANY
  expect(CompanyInfo.parse(withoutBadge).badge).toBe('EHO')
})

test('5 the support phone is formatted, and its link has the country code', () => {
  expect(branding(info()).phone).toEqual({ label: '(800) 555-0199', href: 'tel:+18005550199' })
})

test('1 a company without a trust sentence shows the legally required disclosures', () => {
  expect(branding(info()).trust).toBe(
    'Quincefield Lending LLC, NMLS\u00a0#7. Equal\u00a0Housing\u00a0Opportunity.',
  )
  expect(branding(info({ trustSentence: 'Ask the neighbors.' })).trust).toBe('Ask the neighbors.')
})

test('2.3 a very long name breaks only between its own parts', () => {
  const nameParts = ['Grünwaldheim', 'finanzierungs', 'genossenschaft']
  const name = nameParts.join('')
  expect(hyphenatedName({ name, nameParts })).toBe(
    'Grünwaldheim\u00adfinanzierungs\u00adgenossenschaft',
  )
  expect(hyphenatedName({ name })).toBe(name)
  expect(hyphenatedName({ name: 'Birch', nameParts })).toBe('Birch')
  expect(branding(info({ name, nameParts, legalName: `${name} eG` })).trust).toMatch(
    /^Grünwaldheim\u00adfinanzierungs\u00adgenossenschaft eG, /,
  )
})
