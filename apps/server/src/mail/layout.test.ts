import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Visitor } from '../http/visitor.ts'
import { mailHtml, mailText } from './layout.ts'

/** A mail reads the organisation of its visitor and nothing else. */
function visitorOf(name: string): Visitor {
  return {
    organization: {
      brandColour: '#112233',
      companyInfo: { name, legalName: `${name} LLC`, nmlsNumber: '123', badge: 'EHL' },
    },
  } as Visitor
}

const ATTACK = `</h1><script>alert('x')</script>"&`

test('9 nothing in a mail is taken for markup', () => {
  const html = mailHtml(visitorOf(ATTACK), {
    heading: ATTACK,
    paragraphs: [ATTACK],
    code: ATTACK,
    button: { text: ATTACK, href: `https://x.example/"onclick="${ATTACK}` },
  })
  expect(html).not.toContain('<script')
  expect(html).not.toContain('"onclick="')
  expect(html.match(/<h1\b/g)).toHaveLength(1)
})

test('9 whatever the words, the markup of a mail is the same', () => {
  const tags = (word: string) =>
    mailHtml(visitorOf(word), { heading: word, paragraphs: [word, word], code: word }).match(
      /<[^>]*>/g,
    )
  const expected = tags('word')
  fc.assert(
    fc.property(fc.string(), (word) => {
      expect(tags(word)).toEqual(expected)
    }),
  )
})

test('9 the text of a mail says all that its HTML says', () => {
  const body = {
    heading: 'Your one-time passcode',
    code: '123456',
    paragraphs: ['One.', 'Two.'],
    button: { text: 'Go', href: 'https://x.example/' },
  }
  expect(mailText(visitorOf('Lender'), body)).toBe(
    'Your one-time passcode\n\n123456\n\nOne.\n\nTwo.\n\nGo: https://x.example/\n\nLender LLC, NMLS 123',
  )
  const html = mailHtml(visitorOf('Lender'), body)
  for (const said of [
    '123456',
    'One.',
    'Two.',
    'href="https://x.example/"',
    'NMLS 123',
    '#112233',
  ]) {
    expect(html).toContain(said)
  }
})
