import { readFileSync } from 'node:fs'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { Dialog } from './dialog.tsx'

test('2.8 a dialog is rendered only in the browser: the server renders the page beneath it', () => {
  const html = renderToStaticMarkup(
    <main>
      Page
      <Dialog open title="Reset Password">
        Please reset your password to continue.
      </Dialog>
    </main>,
  )
  expect(html).toBe('<main>Page</main>')
})

test('9 a dialog is 28 rem wide, 37.5 rem on Connect', () => {
  const css = readFileSync(new URL('./dialog.module.css', import.meta.url), 'utf8')
  expect(css).toMatch(/max-width: 28rem/)
  expect(css).toMatch(/&\[data-width="wide"\] \{\s*max-width: 37\.5rem/)
})
