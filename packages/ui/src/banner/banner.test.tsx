import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { Banner } from './banner.tsx'

const drawn = (props: Partial<Parameters<typeof Banner>[0]> = {}) =>
  renderToStaticMarkup(<Banner variant="info" message="Closed on Monday" {...props} />)

test('2.8 info and warn differ by icon and text, not by color alone', () => {
  const told = (['info', 'warn'] as const).map((variant) => {
    const html = drawn({ variant })
    return [/data-icon="(\w+)"/.exec(html)?.[1], />(\w+): </.exec(html)?.[1]]
  })
  expect(told).toEqual([
    ['info', 'Information'],
    ['warning', 'Warning'],
  ])
})

test('2.8 the message is rendered as plain text', () => {
  const html = drawn({ message: '<img src=x> https://lender.example' })
  expect(html).toContain('&lt;img src=x&gt; https://lender.example')
  expect(html).not.toMatch(/<(?:img|a)\b/)
})

test('4.3 only a dismissable banner has a button, which is described by its message', () => {
  expect(drawn()).not.toContain('<button')
  const html = drawn({ onDismiss: () => undefined })
  const described = /aria-describedby="([^"]+)"/.exec(html)?.[1]
  expect(html).toContain('aria-label="Dismiss announcement"')
  expect(html).toContain(`<p id="${described}"`)
})
