import { refusal } from '@portico/client/testing'
import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { renderDialog } from '../testing.tsx'
import { Questions } from './questions.tsx'

const CATALOG = ['pet', 'street', 'teacher'].map((uuid) => ({ uuid, question: `${uuid}?` }))

const renderQuestions = (answers: Record<string, unknown>) =>
  renderDialog((props) => <Questions {...props} />, answers)

async function answerAll() {
  for (const [index, label] of ['First', 'Second', 'Third'].entries()) {
    const question = page.getByRole('combobox', { name: `${label} question` })
    await question.selectOptions(`${CATALOG[index]?.uuid}?`)
    await page.getByRole('textbox', { name: `${label} answer` }).fill(`Answer ${index}`)
  }
  await userEvent.keyboard('{Enter}')
}

test('answers are saved once, and the dialog returns the result', async () => {
  const { calls, results } = await renderQuestions({ readQuestionCatalog: CATALOG })
  await answerAll()
  await expect.poll(() => results).toEqual(['changed'])
  expect(calls.slice(1)).toEqual([
    {
      name: 'setQuestions',
      body: {
        answers: CATALOG.map(({ uuid }, index) => ({
          securityQuestionUuid: uuid,
          answer: `Answer ${index}`,
        })),
      },
    },
  ])
})

test('7.2 rejected answers can be corrected', async () => {
  const { results } = await renderQuestions({
    readQuestionCatalog: CATALOG,
    setQuestions: refusal('questions-unsuitable'),
  })
  await answerAll()
  await expect.element(page.getByRole('alert')).toBeVisible()
  await expect.element(page.getByRole('textbox', { name: 'First answer' })).toHaveValue('Answer 0')
  expect(results).toEqual([])
})

test('a catalog that failed to load can be loaded again', async () => {
  const { calls } = await renderQuestions({ readQuestionCatalog: refusal('server-fault') })
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect.poll(() => calls.length).toBe(2)
})
