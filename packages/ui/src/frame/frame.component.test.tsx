import { afterEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { Footer } from '../footer/footer.tsx'
import { Frame } from './frame.tsx'

afterEach(() => page.viewport(1280, 800))

test('2.3 the page has one main, its panel one hidden image, and empty slots render nothing', async () => {
  await render(<Frame>Form</Frame>)
  await expect.element(page.getByRole('main')).toHaveTextContent('Form')
  await expect.element(page.getByRole('banner')).toHaveTextContent('')
  await expect.element(page.getByRole('img')).not.toBeInTheDocument()
  await expect.element(page.getByRole('contentinfo')).not.toBeInTheDocument()
})

test('2.5 license and badge are shown once: beside a panel that names them the footer does not', async () => {
  const frame = (licenseInTrust: boolean) => (
    <Frame
      trust="Lender LLC, NMLS #1."
      licenseInTrust={licenseInTrust}
      footer={<Footer nmls="NMLS #1" badge="Equal Housing Lender" />}
    >
      Form
    </Frame>
  )
  const inFooter = page.getByRole('contentinfo').getByText('NMLS #1', { exact: true })
  const { rerender } = await render(frame(true))
  await expect.element(page.getByText('Lender LLC, NMLS #1.')).toBeVisible()
  await expect.element(inFooter).not.toBeVisible()
  await rerender(frame(false))
  await expect.element(inFooter).toBeVisible()
  await rerender(frame(true))
  await page.viewport(390, 844)
  await expect.element(page.getByText('Lender LLC, NMLS #1.')).not.toBeVisible()
  await expect.element(inFooter).toBeVisible()
})

test('2.5 the footer has links, phone, mail, NMLS and the fair-lending badge', async () => {
  await render(
    <Footer
      links={[{ label: 'Terms', href: '/terms' }]}
      phone={{ label: '(888) 555-0123', href: 'tel:+18885550123' }}
      email="help@lender.example"
      nmls="NMLS #1"
      badge="Equal Housing Opportunity"
    />,
  )
  for (const [name, href] of [
    ['Terms', '/terms'],
    ['(888) 555-0123', 'tel:+18885550123'],
    ['help@lender.example', 'mailto:help@lender.example'],
  ] as const) {
    await expect.element(page.getByRole('link', { name })).toHaveAttribute('href', href)
  }
  await expect.element(page.getByText('NMLS #1')).toBeVisible()
  await expect.element(page.getByText('Equal Housing Opportunity')).toBeVisible()
  await expect.element(page.getByRole('navigation')).not.toBeInTheDocument()
})

test('4.3 announcements that load late are announced politely, above the form', async () => {
  const form = <h1>Log in</h1>
  const { container, rerender } = await render(<Frame announcements={<p />}>{form}</Frame>)
  const region = container.querySelector('[aria-live="polite"]')
  await rerender(<Frame announcements={<p>Closed on Monday</p>}>{form}</Frame>)
  expect(region).toHaveTextContent('Closed on Monday')
  const top = (text: string) => page.getByText(text).element().getBoundingClientRect().top
  expect(top('Closed on Monday')).toBeLessThan(top('Log in'))
})
