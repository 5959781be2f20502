import { afterEach, expect, test } from 'vitest'
import { cdp, page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { Animation } from './animation.tsx'
import { NotFoundAnimation } from './not-found-animation.tsx'

const preferMotion = (value: 'reduce' | 'no-preference') =>
  cdp().send('Emulation.setEmulatedMedia', {
    features: [{ name: 'prefers-reduced-motion', value }],
  })

afterEach(() => preferMotion('reduce'))

test("8 an animation without static svg: 'staticSvg must be provided for a11y'", async () => {
  await expect(
    render(
      <Animation label="Waiting" staticSvg={undefined}>
        <svg />
      </Animation>,
    ),
  ).rejects.toThrow('staticSvg must be provided for a11y')
})

test('2.8 with reduced motion the static svg replaces the animated one', async () => {
  await render(
    <Animation label="Waiting" staticSvg={<span>Static</span>}>
      <span>Moving</span>
    </Animation>,
  )
  await expect.element(page.getByText('Static')).toBeVisible()
  await expect.element(page.getByText('Moving')).not.toBeVisible()
  await preferMotion('no-preference')
  await expect.element(page.getByText('Moving')).toBeVisible()
  await expect.element(page.getByText('Static')).not.toBeVisible()
})

test('2.8 the 404 animation is one image with a name', async () => {
  await render(<NotFoundAnimation />)
  await expect.element(page.getByRole('img', { name: '404, page not found' })).toBeVisible()
})
