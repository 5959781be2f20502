import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { Footer } from '../footer/footer.tsx'
import { Frame } from './frame.tsx'

test('2.3 the page has one main, its panel one hidden image, and empty slots render nothing', () => {
  const html = renderToStaticMarkup(<Frame>Form</Frame>)
  expect(html).toMatch(/<main[^>]*>Form<\/main>/)
  expect(html).toMatch(/<svg[^>]*aria-hidden="true"/)
  expect(html).not.toContain('<footer')
  expect(html).not.toContain('class="trust"')
})

test('2.5 the footer names NMLS number and badge; beside a panel that does, the sentence is marked', () => {
  const license = <Footer nmls="NMLS #1" badge="Equal Housing Lender" />
  const marked = (licenseInTrust: boolean) =>
    renderToStaticMarkup(
      <Frame trust="Lender LLC, NMLS #1." licenseInTrust={licenseInTrust} footer={license}>
        Form
      </Frame>,
    )
  expect(marked(true)).toMatch(/data-license="true">Lender LLC/)
  expect(marked(false)).not.toContain('data-license')
  expect(marked(true)).toMatch(/data-part="license"><li>NMLS #1<\/li>/)
})

test('2.5 the footer has links, phone, mail, NMLS and the fair-lending badge', () => {
  const html = renderToStaticMarkup(
    <Footer
      links={[{ label: 'Terms', href: '/terms' }]}
      phone={{ label: '(888) 555-0123', href: 'tel:+18885550123' }}
      email="help@lender.example"
      nmls="NMLS #1"
      badge="Equal Housing Opportunity"
    />,
  )
  for (const part of [
    'href="/terms"',
    'href="tel:+18885550123"',
    'href="mailto:help@lender.example"',
    'NMLS #1',
    'Equal Housing Opportunity',
  ]) {
    expect(html).toContain(part)
  }
  expect(html).not.toContain('<nav')
})
