import { Organization } from '@portico/contracts/organization-file'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Sender } from '../brands/brands.ts'
import { mailHtml, mailText } from './layout.ts'

const COMPANY = {
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
}
const BODY = {
  heading: 'Your one-time passcode',
  code: '123456',
  paragraphs: ['One.', 'Two.'],
  button: { text: 'Go', href: 'https://x.example/' },
}

/** A sender; mail uses only its organization and link origin. */
function senderOf(changes: object = {}, company: object = {}): Sender {
  const organization = Organization.parse({
    orgCode: 'LENDER',
    canonicalOrgCode: 'LENDER',
    orgBrand: 'lender',
    hosts: [],
    brandColor: '#112233',
    companyInfo: { ...COMPANY, ...company },
    products: [],
    pricing: [],
    behaviors: {},
    ...changes,
  })
  return { organization, pagesOrigin: 'https://login.example' }
}

const ATTACK = `</h1><script>alert('x')</script>"&`

test('9 no text in a mail is interpreted as markup', () => {
  const sender = senderOf({ mailSignature: ATTACK }, { name: ATTACK, legalName: ATTACK })
  const html = mailHtml(sender, {
    heading: ATTACK,
    paragraphs: [ATTACK],
    code: ATTACK,
    button: { text: ATTACK, href: `https://x.example/"onclick="${ATTACK}` },
  })
  expect(html).not.toContain('<script')
  expect(html).not.toContain('"onclick="')
  expect(html.match(/<h1\b/g)).toHaveLength(1)
})

test('9 the text of a mail does not change its markup', () => {
  const tags = (word: string) =>
    mailHtml(senderOf(), { heading: word, paragraphs: [word, word], code: word }).match(/<[^>]*>/g)
  const expected = tags('word')
  fc.assert(
    fc.property(fc.string(), (word) => {
      expect(tags(word)).toEqual(expected)
    }),
  )
})

test('2.8 a mail contains what its page contains: company, support, license, badge, legal links, signature', () => {
  const sender = senderOf({ mailSignature: 'Your team at Lender' })
  expect(mailText(sender, BODY)).toBe(
    [
      'Lender',
      'Your one-time passcode',
      '123456',
      'One.',
      'Two.',
      'Go: https://x.example/',
      'Your team at Lender',
      'Questions? (800) 555-0142 or help@lender.example',
      'Lender LLC · NMLS #123 · Equal Housing Lender\nTerms: https://login.example/legal/terms\nPrivacy: https://lender.example/privacy\nLicenses: https://login.example/legal/licenses',
    ].join('\n\n'),
  )
  const html = mailHtml(sender, BODY)
  for (const expected of [
    '123456',
    'One.',
    'Two.',
    'href="https://x.example/"',
    'Your team at Lender',
    'href="tel:+18005550142"',
    'href="mailto:help@lender.example"',
    'NMLS #123 · Equal Housing Lender',
    'href="https://login.example/legal/terms"',
    'href="https://lender.example/privacy"',
  ]) {
    expect(html).toContain(expected)
  }
})

test('1 a mail has its brand’s colors, and in dark mode those of dark pages', () => {
  const html = mailHtml(senderOf({ darkBrandColor: '#88ddaa' }), BODY)
  expect(html).toContain('background:#112233')
  const [, dark = ''] = /prefers-color-scheme:dark\)\{(.*)\}<\/style>/.exec(html) ?? []
  expect(dark).toContain('.brand{background:#')
  expect(dark).not.toContain('#112233')
  expect(mailHtml(senderOf(), BODY)).not.toContain(dark)
})

test('9 under a label a mail names the partner beside the lender, as its page does', () => {
  const label = { code: 'apollo', name: 'Apollo', logoPath: '/brand/apollo.svg' }
  expect(mailHtml(senderOf({ label }), BODY)).toContain('Lender · Apollo</td>')
  expect(mailText(senderOf({ label }), BODY)).toContain('Lender · Apollo\n')
})

test('9 a mail loads no external resource', () => {
  const html = mailHtml(senderOf({ mailSignature: 'Team' }), BODY)
  expect(html).not.toMatch(/<(?:img|link|script|iframe)\b|\bsrc=|url\(|@import|background="/i)
})

test('2.8 headings and addresses in a mail are read as one: nothing stands within them', () => {
  const address = 'ada.lovelace@mail.lender.example'
  const html = mailHtml(senderOf({}, { supportEmail: address }), {
    ...BODY,
    heading: `Confirm ${address}`,
    paragraphs: [`We sent it to ${address}.`],
  })
  for (const text of [
    `>Confirm ${address}</h1>`,
    `>We sent it to ${address}.</p>`,
    `>${address}</a>`,
  ]) {
    expect(html).toContain(text)
  }
  expect(html).not.toMatch(/<wbr|&shy;|\u00ad|\u200b/)
})
