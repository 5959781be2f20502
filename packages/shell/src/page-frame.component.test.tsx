import type { PageData } from '@portico/contracts/page-data'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { PageFrame } from './page-frame.tsx'
import { pageData } from './testing.tsx'
import { useWalletBrand } from './wallet-brand.ts'

const header = page.getByRole('banner')
const footer = page.getByRole('contentinfo')
const license = footer.getByText('NMLS #2100200')
const { organization } = pageData()

/** A page of an organization with these changes to its metadata. */
function pageOf(
  changes: {
    companyInfo?: Partial<PageData['organization']['orgMetaData']['companyInfo']>
    partner?: PageData['organization']['orgMetaData']['partner']
  },
  others: Partial<PageData> = {},
): PageData {
  const { orgMetaData } = organization
  const companyInfo = { ...orgMetaData.companyInfo, ...changes.companyInfo }
  return pageData({
    ...others,
    organization: { ...organization, orgMetaData: { ...orgMetaData, ...changes, companyInfo } },
  })
}

const logos = () =>
  header
    .getByRole('img')
    .elements()
    .map((image) => image.getAttribute('alt'))

test('2.3 the frame shows the logo, the disclosures and the support contacts of the organization', async () => {
  await render(<PageFrame page={pageData()}>Form</PageFrame>)
  expect(logos()).toEqual(['Figure'])
  await expect.element(header.getByText(/^Figure Lending LLC, NMLS/)).toBeVisible()
  for (const [name, href] of [
    ['Terms', '/legal/terms'],
    ['Privacy', '/legal/privacy'],
    ['Licenses', '/legal/licenses'],
    ['(800) 555-0142', 'tel:+18005550142'],
    ['help@figure.example', 'mailto:help@figure.example'],
  ] as const) {
    await expect.element(footer.getByRole('link', { name })).toHaveAttribute('href', href)
  }
  await expect.element(page.getByRole('main')).toHaveTextContent('Form')
})

test('1 a label shows its logo beside that of the organization', async () => {
  const label = { code: 'apollo', name: 'Apollo', logoPath: '/brand/apollo.svg' } as const
  await render(<PageFrame page={pageData({ label })}>Form</PageFrame>)
  expect(logos()).toEqual(['Figure', 'Apollo'])
})

test('2.5 the footer shows the license beside a custom trust sentence, which may not include it', async () => {
  const { rerender } = await render(<PageFrame page={pageData()}>Form</PageFrame>)
  await expect.element(license).not.toBeVisible()
  const custom = pageOf({ companyInfo: { trustSentence: 'Home equity since 2018.' } })
  await rerender(<PageFrame page={custom}>Form</PageFrame>)
  await expect.element(header.getByText('Home equity since 2018.')).toBeVisible()
  await expect.element(license).toBeVisible()
})

test('2.5 a co-branded page shows the partner, and all disclosures in the footer', async () => {
  const partner = { name: 'Score Partner', logoPath: '/brand/score.svg' }
  const { rerender } = await render(<PageFrame page={pageOf({ partner })}>Form</PageFrame>)
  expect(logos()).toEqual(['Figure'])
  await rerender(
    <PageFrame page={pageOf({ partner })} coBranded>
      Form
    </PageFrame>,
  )
  expect(logos()).toEqual(['Figure', 'Score Partner'])
  await expect.element(header.getByText(/NMLS/)).not.toBeInTheDocument()
  await expect.element(license).toBeVisible()
  await expect.element(footer.getByText('© Figure Lending LLC')).toBeVisible()
  await expect
    .element(footer.getByRole('link', { name: 'Questions? (800) 555-0142' }))
    .toHaveAttribute('href', 'tel:+18005550142')
})

test("2.7 the page's components use the wallet names of the organization", async () => {
  const AccountName = () => <p>Your {useWalletBrand().accountName}</p>
  const wallet = { ...pageData().wallet, accountName: 'Harbor Account' }
  await render(
    <PageFrame page={pageData({ wallet })}>
      <AccountName />
    </PageFrame>,
  )
  await expect.element(page.getByText('Your Harbor Account')).toBeVisible()
})
