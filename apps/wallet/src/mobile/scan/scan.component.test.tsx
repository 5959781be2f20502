import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { MobileEnvironmentContext } from '../environment.ts'
import { fakeCamera, fakeMobileEnvironment } from '../testing.ts'
import { Scan } from './scan.tsx'

const URI =
  'wc:8a5e5bdc-a0e4-4702-ba63-8f1a5655744f@1?bridge=wss%3A%2F%2Frelay.example&key=41791102999c339c844880b23950704cc43aa840f3739e365323cda4dfa89e7a'

/** The scanner, in whose pictures this text is found. */
async function renderScanner(text: string | undefined, { isInTap = false } = {}) {
  const codes: string[] = []
  let starts = 0
  const environment = fakeMobileEnvironment({
    isInTap: () => isInTap,
    openDecoder: () => ({ decode: async () => text, close: () => undefined }),
    camera: {
      ...fakeCamera({ step: 'off' }),
      start: async () => {
        starts += 1
      },
    },
  })
  await render(
    <MobileEnvironmentContext value={environment}>
      <Scan onCode={(uri) => codes.push(uri)} />
    </MobileEnvironmentContext>,
  )
  return { codes, starts: () => starts }
}

async function choosePicture(): Promise<void> {
  const canvas = document.createElement('canvas')
  const { promise, resolve } = Promise.withResolvers<Blob | null>()
  canvas.toBlob(resolve)
  const file = new File([(await promise) ?? ''], 'code.png', { type: 'image/png' })
  await userEvent.upload(page.getByLabelText('A picture with the code'), file)
}

test('2.7 a picture of the code connects like the code itself', async () => {
  const { codes } = await renderScanner(encodeURIComponent(URI))
  await choosePicture()
  await expect.poll(() => codes).toEqual([URI])
})

test.each([
  [undefined, 'No code was found in this picture. Choose a sharper one.'],
  [
    'https://shop.example/menu',
    'This is a link to shop.example, not a connection. Scan the code that the page shows.',
  ],
])('2.7 a picture without a connection says why: %j', async (text, notice) => {
  const { codes } = await renderScanner(text)
  await choosePicture()
  await expect.element(page.getByText(notice)).toBeVisible()
  expect(codes).toEqual([])
})

test('2.7 the camera starts with the tap that opens the scanner, and otherwise only by its button', async () => {
  const later = await renderScanner(undefined)
  expect(later.starts()).toBe(0)
  await page.getByRole('button', { name: 'Turn on the camera' }).click()
  expect(later.starts()).toBe(1)
  const { starts } = await renderScanner(undefined, { isInTap: true })
  // In these tests, components mount twice.
  await expect.poll(starts).toBeGreaterThan(0)
})
