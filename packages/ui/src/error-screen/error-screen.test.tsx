import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { ErrorScreen } from './error-screen.tsx'

const nothing = () => undefined

test("8 error screen: 'Sorry, looks like we have hit a snag!' with 'Try again'", () => {
  const html = renderToStaticMarkup(<ErrorScreen onRetry={nothing} />)
  expect(html).toContain('Sorry, looks like we have hit a snag!')
  expect(html).toContain('Try again')
  expect(html).not.toContain('Go To Dashboard')
  expect(html).not.toContain('here to help')
})

test("2.8 error screen: optional 'Go To Dashboard', support phone and e-mail", () => {
  const html = renderToStaticMarkup(
    <ErrorScreen
      onRetry={nothing}
      dashboardHref="/dashboard"
      phone={{ label: '(888) 555-0123', href: 'tel:+18885550123' }}
      email="help@lender.example"
    />,
  )
  expect(html).toMatch(/<a href="\/dashboard"[^>]*>Go To Dashboard<\/a>/)
  expect(html).toContain('href="tel:+18885550123"')
  expect(html).toContain('href="mailto:help@lender.example"')
})
