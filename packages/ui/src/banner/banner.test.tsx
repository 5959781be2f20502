import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { Banner } from './banner.tsx'

const drawn = (props: Partial<Parameters<typeof Banner>[0]> = {}) =>
  renderToStaticMarkup(<Banner variant="info" message="Closed on Monday" {...props} />)

test('2.8 info and warn are told by icon and word, not by color alone', () => {
  const told = (['info', 'warn'] as const).map((variant) => {
    const html = drawn({ variant })
    return [/data-icon="(\w+)"/.exec(html)?.[1], />(\w+): </.exec(html)?.[1]]
  })
  expect(told).toEqual([
    ['info', 'Information'],
    ['warning', 'Warning'],
  ])
})

test('2.8 the message is words, whatever stands in it', () => {
  const html = drawn({ message: '<img src=x> https://lender.example' })
  expect(html).toContain('&lt;img src=x&gt; https://lender.example')
  expect(html).not.toMatch(/<(?:img|a)\b/)
})

test('4.3 only a banner that can be dismissed has a button, which says of what it is', () => {
  expect(drawn()).not.toContain('<button')
  const html = drawn({ onDismiss: () => undefined })
  const described = /aria-describedby="([^"]+)"/.exec(html)?.[1]
  expect(html).toContain('aria-label="Dismiss announcement"')
  expect(html).toContain(`<p id="${described}"`)
})
