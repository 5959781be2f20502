import { DEFAULT_WALLET_BRAND } from '@portico/contracts/organization'
import type { Organization, OrganizationFile } from '@portico/contracts/organization-file'
import { expect, test } from 'vitest'
import {
  inheritOrganization,
  mergeLabel,
  type PartialOrganization,
} from './organization-inheritance.ts'

const PROVIDER: PartialOrganization & Organization = {
  orgCode: 'FIGURE',
  canonicalOrgCode: 'FIGURE',
  orgBrand: 'figure',
  baseUrl: 'https://login.figure.example',
  hosts: ['login.figure.example'],
  brandColor: '#2f4de0',
  darkBrandColor: '#8899ff',
  companyInfo: {
    name: 'Figure',
    legalName: 'Figure Lending LLC',
    logoPath: '/brand/figure.svg',
    darkLogoPath: '/brand/figure-dark.svg',
    faviconPath: '/brand/figure-icon.svg',
    trustSentence: 'Trust us.',
    supportPhone: '8005550142',
    supportEmail: 'help@figure.example',
    nmlsNumber: '1',
    badge: 'EHL',
    termsUrl: '/terms',
    privacyUrl: '/privacy',
    licensesUrl: '/licenses',
    electronicCommunicationsUrl: '/electronic-communications',
  },
  products: [{ code: 'HELOC', name: 'Line' }],
  pricing: [{ productCode: 'HELOC', minimumRatePercent: 1, maximumRatePercent: 2 }],
  behaviors: {
    loginHeading: 'standard',
    registerLink: 'shown',
    registerAt: 'register',
    registerReferrer: 'figure',
    signerLink: 'shown',
  },
  wallet: DEFAULT_WALLET_BRAND,
  mailSignature: 'The Figure team',
}

const lender = (changes: Partial<OrganizationFile> = {}) =>
  inheritOrganization(PROVIDER, {
    orgCode: 'LENDER',
    orgBrand: 'lender',
    companyInfo: { name: 'Lender' },
    ...changes,
  })

test('1 missing fields are inherited one by one, also in companyInfo and behaviors', () => {
  const { companyInfo, behaviors, ...rest } = lender({ behaviors: { signerLink: 'hidden' } })
  expect(companyInfo).toEqual({ ...PROVIDER.companyInfo, name: 'Lender' })
  expect(behaviors).toEqual({ ...PROVIDER.behaviors, signerLink: 'hidden' })
  expect(rest).toMatchObject({ brandColor: '#2f4de0', products: PROVIDER.products })
})

test('1 wallet names are inherited one by one, a label may change them, and null removes a change', () => {
  const own = lender({ wallet: { walletName: 'Quince Vault', mobileName: null } })
  const { mobileName: _, ...standard } = DEFAULT_WALLET_BRAND
  expect(own.wallet).toEqual({ ...standard, walletName: 'Quince Vault' })
  const labeled = mergeLabel(PROVIDER, {
    label: 'apollo',
    name: 'Apollo',
    logoPath: '/brand/apollo.svg',
    brandColor: '#007B63',
    wallet: { accountName: 'Apollo Account' },
  })
  expect(labeled.wallet).toEqual({ ...DEFAULT_WALLET_BRAND, accountName: 'Apollo Account' })
})

test('1 codes, hosts and base URL are not inherited', () => {
  const { orgCode, canonicalOrgCode, hosts, baseUrl } = lender()
  expect({ orgCode, canonicalOrgCode, hosts, baseUrl }).toEqual({
    orgCode: 'LENDER',
    canonicalOrgCode: 'LENDER',
    hosts: [],
    baseUrl: undefined,
  })
  expect(lender({ canonicalOrgCode: 'FIGURE' }).canonicalOrgCode).toBe('FIGURE')
})

test('1 null removes an inherited field', () => {
  const { companyInfo, behaviors, mailSignature } = lender({
    mailSignature: null,
    companyInfo: { name: 'Lender', supportPhone: null },
    behaviors: { registerReferrer: null },
  })
  expect(companyInfo).not.toHaveProperty('supportPhone')
  expect(behaviors).not.toHaveProperty('registerReferrer')
  expect(mailSignature).toBeUndefined()
})

test('1 a lender’s color, logo, products or legal name are never combined with another’s', () => {
  expect(lender({ brandColor: '#000000' })).not.toHaveProperty('darkBrandColor')
  expect(lender({ products: [] }).pricing).toEqual([])
  const { companyInfo } = lender({
    companyInfo: { name: 'Lender', logoPath: '/brand/lender.svg', nmlsNumber: '2' },
  })
  expect(companyInfo).toMatchObject({ logoPath: '/brand/lender.svg', nmlsNumber: '2' })
  for (const field of ['darkLogoPath', 'faviconPath', 'legalName']) {
    expect(companyInfo).not.toHaveProperty(field)
  }
})

test('1 a label overrides the organization: its color, its additional name and logo, and its other changes', () => {
  const labeled = mergeLabel(PROVIDER, {
    label: 'apollo',
    name: 'Apollo',
    logoPath: '/brand/apollo.svg',
    brandColor: '#007B63',
    companyInfo: { supportPhone: '8005550100' },
    behaviors: { registerLink: 'hidden' },
  })
  expect(labeled).toMatchObject({
    orgCode: 'FIGURE',
    baseUrl: 'https://login.figure.example',
    brandColor: '#007B63',
    companyInfo: {
      name: 'Figure',
      logoPath: '/brand/figure-dark.svg',
      supportPhone: '8005550100',
      badge: 'EHL',
    },
    behaviors: { registerLink: 'hidden', registerAt: 'register' },
    label: { code: 'apollo', name: 'Apollo', logoPath: '/brand/apollo.svg' },
  })
  expect(labeled).not.toHaveProperty('darkBrandColor')
})
