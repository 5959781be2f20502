import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { EmailText } from './email-text.tsx'

test.each([
  ['ada@example.com', 'ada@<wbr/>example<wbr/>.com'],
  ['ada.b@c.d.example', 'ada<wbr/>.b@<wbr/>c<wbr/>.d<wbr/>.example'],
  ['m•••@example.com', 'm•••@<wbr/>example<wbr/>.com'],
  ['', ''],
])('2.8 the address %j breaks at @ and dots', (address, inside) => {
  expect(renderToStaticMarkup(<EmailText>{address}</EmailText>)).toBe(
    `<bdi dir="ltr">${inside}</bdi>`,
  )
})
