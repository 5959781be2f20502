import { Organization } from '@portico/contracts/organization-file'
import { expect, test } from 'vitest'
import type { Sender } from '../brands/brands.ts'
import { SAMPLE_MAILS } from './sample-mails.ts'

const ORIGIN = 'https://login.example'
const SENDER: Sender = {
  organization: Organization.parse({
    orgCode: 'LENDER',
    canonicalOrgCode: 'LENDER',
    orgBrand: 'lender',
    hosts: [],
    brandColor: '#112233',
    companyInfo: {
      name: 'Lender',
      legalName: 'Lender LLC',
      logoPath: '/brand/lender.svg',
      supportPhone: '8005550142',
      supportEmail: 'help@lender.example',
      nmlsNumber: '123',
      badge: 'EHL',
      termsUrl: '/legal/terms',
      privacyUrl: 'https://lender.example/privacy',
      licensesUrl: '/legal/licenses',
      electronicCommunicationsUrl: '/legal/electronic',
    },
    products: [],
    pricing: [],
    behaviors: {},
  }),
  pagesOrigin: ORIGIN,
}

/** Pages that wait for a press, whatever their address says; their own tests prove it. */
const PAGES = [
  '/auth/login',
  '/auth/register',
  '/auth/credit-karma/register',
  '/auth/sso-setup',
  '/auth/lockout',
  '/console/approvals',
]

test('no mailed link acts when it is opened, because mail scanners open links too', () => {
  const links = Object.values(SAMPLE_MAILS).flatMap((mail) =>
    [...mail(SENDER).text.matchAll(/https:\/\/login\.example\/\S+/g)].map(
      ([href]) => new URL(href),
    ),
  )
  expect(links.length).toBeGreaterThan(10)
  for (const { pathname, searchParams, href } of links) {
    expect(
      PAGES.some((page) => pathname.startsWith(page)) || pathname.startsWith('/legal'),
      href,
    ).toBe(true)
    expect(searchParams.get('otp'), href).not.toBe('true')
  }
})
