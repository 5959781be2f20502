import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { Alert } from './alert.tsx'

test('2.8 a danger alert interrupts, other alerts are polite', () => {
  expect(renderToStaticMarkup(<Alert tone="danger">No</Alert>)).toContain('role="alert"')
  for (const tone of ['warn', 'info', 'ok'] as const) {
    expect(renderToStaticMarkup(<Alert tone={tone}>Yes</Alert>)).toContain('role="status"')
  }
})

test("2.8 an alert's severity is shown by icon and text, not by color alone", () => {
  const icons = (['danger', 'warn', 'info', 'ok'] as const).map(
    (tone) => /data-icon="([\w-]+)"/.exec(renderToStaticMarkup(<Alert tone={tone}>x</Alert>))?.[1],
  )
  expect(new Set(icons).size).toBe(4)
  expect(icons).not.toContain(undefined)
})
