import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { ALONE, type Membership } from './create-organization.flow.ts'
import { OrganizationForm } from './organization-form.tsx'

const ME = 'tp1qyqszqgpqyqszqgpqyqszqgpqyqszqgpgk0hz2'
const BEN = 'tp1qgpqyqszqgpqyqszqgpqyqszqgpqyqszejfjfu'
const CLEO = 'tp1qvpsxqcrqvpsxqcrqvpsxqcrqvpsxqcrczgnra'
const GROUP = 'tp1qvpsxqcrqvpsxqcrqvpsxqcrqvpsxqcrqvpsxqcrqvpsxqcrqvpsjjqnjm'
const OTHER_NETWORK = 'pb1qszqgpqyqszqgpqyqszqgpqyqszqgpqyte26xt'

const nothing = () => undefined
const submit = page.getByRole('button', { name: 'Submit' })
const name = page.getByRole('textbox', { name: 'Account Name' })
const member = (number: number) => page.getByRole('group', { name: `Member ${number}` })
const addressOf = (number: number) =>
  member(number).getByRole('textbox', { name: 'Wallet address' })

async function renderForm({ membership = ALONE } = {}) {
  const submitted: { name: string; membership: Membership }[] = []
  await render(
    <OrganizationForm
      name=""
      membership={membership}
      walletAddress={ME}
      busy={false}
      failure={undefined}
      rejection={undefined}
      onSubmit={(named) => submitted.push(named)}
      onBack={nothing}
      supportPhone="8005550142"
    />,
  )
  return submitted
}

test('2.6 with one member, the name is all that is asked', async () => {
  const submitted = await renderForm()
  await expect.element(page.getByRole('combobox')).not.toBeInTheDocument()
  await name.fill(' Willow ')
  await submit.click()
  expect(submitted).toEqual([{ name: 'Willow', membership: ALONE }])
})

test('6 more members are added with their names, and how many must agree is chosen', async () => {
  const submitted = await renderForm()
  await name.fill('Willow')
  await page.getByRole('button', { name: 'Add more members' }).click()
  await expect.element(addressOf(2)).toHaveFocus()
  await addressOf(2).fill(BEN.toUpperCase())
  await member(2).getByRole('textbox', { name: 'Name (optional)' }).fill(' Ben ')
  await page.getByRole('button', { name: 'Add another member' }).click()
  await addressOf(3).fill(` ${CLEO} `)
  const threshold = page.getByRole('combobox', { name: 'How many must agree?' })
  // More than half, so that no one decides alone by accident.
  await expect.element(threshold).toHaveValue('2')
  await threshold.selectOptions('3 of 3 members')
  await submit.click()
  expect(submitted).toEqual([
    {
      name: 'Willow',
      membership: {
        members: [
          { address: BEN, name: 'Ben' },
          { address: CLEO, name: '' },
        ],
        threshold: 3,
      },
    },
  ])
})

test.each([
  ['', "Please enter the member's address."],
  ['tp1nobody', 'This is not a valid address. Compare it with the one you were given.'],
  [OTHER_NETWORK, 'This address belongs to another network. Addresses on yours begin with tp1.'],
  [ME, 'This address is already a member.'],
  [GROUP, "This is the address of an organization. Please enter a person's wallet account."],
])('6 a member with the address %j is refused at its field', async (text, error) => {
  const submitted = await renderForm()
  await name.fill('Willow')
  await page.getByRole('button', { name: 'Add more members' }).click()
  await addressOf(2).fill(text)
  await submit.click()
  await expect.element(page.getByText(error)).toBeVisible()
  await expect.element(addressOf(2)).toHaveFocus()
  expect(submitted).toEqual([])
})

test('6 two members with one address are refused at the second; removing one leaves the other', async () => {
  const submitted = await renderForm({
    membership: {
      members: [
        { address: BEN, name: 'Ben' },
        { address: BEN, name: 'Twice' },
        { address: CLEO, name: 'Cleo' },
      ],
      threshold: 4,
    },
  })
  await name.fill('Willow')
  await submit.click()
  await expect.element(member(3).getByText('This address is already a member.')).toBeVisible()
  await page.getByRole('button', { name: 'Remove member 3' }).click()
  await expect.element(addressOf(3)).toHaveValue(CLEO)
  await page.getByRole('combobox').selectOptions('3 of 3 members')
  await submit.click()
  expect(submitted).toMatchObject([
    { membership: { members: [{ name: 'Ben' }, { name: 'Cleo' }], threshold: 3 } },
  ])
})

test('2.6 names that are too long are refused at their fields instead of cut', async () => {
  const submitted = await renderForm()
  await name.fill('a'.repeat(61))
  await page.getByRole('button', { name: 'Add more members' }).click()
  await addressOf(2).fill(BEN)
  const memberName = member(2).getByRole('textbox', { name: 'Name (optional)' })
  await memberName.fill('b'.repeat(61))
  await submit.click()
  await expect.element(name).toHaveValue('a'.repeat(61))
  await expect.element(page.getByText('Please enter 60 characters at most.').first()).toBeVisible()
  await expect.element(name).toHaveFocus()
  await name.fill('a'.repeat(60))
  await submit.click()
  await expect.element(memberName).toHaveFocus()
  expect(submitted).toEqual([])
})
