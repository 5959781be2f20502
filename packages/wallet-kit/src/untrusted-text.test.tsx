import { renderStatic } from '@portico/shell/testing'
import { expect, test } from 'vitest'
import { UntrustedText } from './untrusted-text.tsx'

const shown = (text: string) => renderStatic(<UntrustedText>{text}</UntrustedText>).html

test.each([
  ['a right-to-left override', 'Pay \u202eecilA', 'Pay \\u{202e}ecilA'],
  ['an isolate that is never closed', '\u2067Larch', '\\u{2067}Larch'],
  ['a mark inside a name', 'Lar\u200fch', 'Lar\\u{200f}ch'],
  ['a zero-width space', 'Lar\u200bch', 'Lar\\u{200b}ch'],
  ['a control character', 'a\u0000b', 'a\\u{0}b'],
  ['a line separator', 'a\u2028b', 'a\\u{2028}b'],
  ['text that was already escaped', 'a\\u{202e}b', 'a\\u{202e}b'],
])('2.8 %s is visible', (_, text, expected) => {
  expect(shown(text)).toBe(`<bdi dir="auto">${expected}</bdi>`)
})

test('2.8 ordinary right-to-left text stays readable, and is isolated', () => {
  expect(shown('שלום')).toBe('<bdi dir="auto">שלום</bdi>')
})

test('2.8 line breaks of a message stay, and markup is text', () => {
  expect(shown('a\r\nb <b>')).toBe('<bdi dir="auto">a\nb &lt;b&gt;</bdi>')
})
