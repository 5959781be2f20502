import { fakeClient, refusal } from '@portico/client/testing'
import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { EnvironmentContext } from '../../environment.ts'
import { serverEnvironment } from '../../server-environment.ts'
import { CreateFigure } from './create-figure.tsx'

const name = page.getByRole('textbox', { name: 'Account Name' })
const submit = page.getByRole('button', { name: 'Submit' })
const nothing = () => undefined

async function renderForm(answer: unknown) {
  const { client, calls } = fakeClient({ createHostedAccount: answer })
  const created: string[] = []
  await render(
    <EnvironmentContext value={{ ...serverEnvironment, client }}>
      <CreateFigure
        supportPhone="8005550142"
        onBack={nothing}
        onClose={nothing}
        onCreated={(address) => created.push(address)}
      />
    </EnvironmentContext>,
  )
  return { calls, created }
}

test('2.6 a name is sent once, however often Submit is pressed', async () => {
  const { calls } = await renderForm(new Promise(nothing))
  await name.fill('Everyday')
  await userEvent.keyboard('{Enter}{Enter}')
  await expect.element(page.getByRole('button', { name: 'Creating…' })).toBeVisible()
  expect(calls).toHaveLength(1)
})

test('4.8 the created account is returned', async () => {
  const { calls, created } = await renderForm({ address: 'tp1new' })
  await name.fill('Everyday')
  await submit.click()
  await expect.poll(() => created).toEqual(['tp1new'])
  // 7.4 account/hosted: name, default
  expect(calls).toEqual([
    { name: 'createHostedAccount', body: { name: 'Everyday', default: true } },
  ])
})

test.each(['', '  '])(
  "5 wallet account name: required ('Account name is required'): %j",
  async (typed) => {
    const { calls } = await renderForm({ address: 'tp1new' })
    await name.fill(typed)
    await submit.click()
    await expect.element(page.getByText('Account name is required')).toBeVisible()
    expect(calls).toEqual([])
  },
)

test('8 a failure is shown on the name field, plus the server errors', async () => {
  const { created } = await renderForm(refusal('too-many-accounts'))
  await name.fill('Everyday')
  await submit.click()
  const sentence = 'You cannot add another account. Please contact support.'
  await expect.element(page.getByText(sentence)).toBeVisible()
  await expect.element(name).toHaveAccessibleDescription(/Error submitting New Account/)
  expect(created).toEqual([])
})
