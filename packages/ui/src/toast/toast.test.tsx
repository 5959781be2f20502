import { readFileSync } from 'node:fs'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { ToastProvider, useToast } from './toast.tsx'
import { TOAST_LIMIT } from './toast-message.ts'

function Asking() {
  return <p>{typeof useToast()}</p>
}

test('8 missing provider of the design kit is a usage error', () => {
  expect(() => renderToStaticMarkup(<Asking />)).toThrow(
    'ToastProvider not found. Wrap the application in <ToastProvider> before calling useToast().',
  )
})

test('2.8 inside its provider useToast returns the function that shows a toast', () => {
  expect(
    renderToStaticMarkup(
      <ToastProvider>
        <Asking />
      </ToastProvider>,
    ),
  ).toBe('<p>function</p>')
})

test('9 toast: at most five are visible', () => {
  expect(TOAST_LIMIT).toBe(5)
  const css = readFileSync(new URL('./toast.module.css', import.meta.url), 'utf8')
  expect(css).toMatch(/&\[data-limited\] \{\s*display: none/)
})
