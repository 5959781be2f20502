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
