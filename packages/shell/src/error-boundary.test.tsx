import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { ErrorBoundary, FailureScreen } from './error-boundary.tsx'
import { textOf } from './testing.tsx'

test("2.8 'Sorry, looks like we have hit a snag!' with 'Try again', phone and e-mail", () => {
  const html = renderToStaticMarkup(
    <FailureScreen
      supportPhone="8005550142"
      supportEmail="help@figure.example"
      signedIn={false}
      onRetry={() => undefined}
    />,
  )
  const text = textOf(html)
  expect(text).toContain('Sorry, looks like we have hit a snag!')
  expect(text).toContain('Try again')
  expect(text).not.toContain('Go To Dashboard')
  expect(text).toContain('(800) 555-0142')
  expect(html).toContain('mailto:help@figure.example')
  expect(text).toMatch(/Reference for support: \d{4}-\d\d-\d\dT[\d:.]+Z$/)
})

test("2.8 'Go To Dashboard' if the user is signed in", () => {
  expect(
    textOf(renderToStaticMarkup(<FailureScreen signedIn onRetry={() => undefined} />)),
  ).toContain('Go To Dashboard')
})

test('4.11 a component that fails to render is replaced with the error screen', () => {
  expect(ErrorBoundary.getDerivedStateFromError()).toEqual({ failed: true })
})
