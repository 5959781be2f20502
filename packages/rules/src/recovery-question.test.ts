import { expect, test } from 'vitest'
import { recoveryQuestion } from './recovery-question.ts'

const questions = ['one', 'two', 'three', 'four'].map((question) => ({ uuid: question, question }))

test.each([
  [0, 'one'],
  [0.34, 'two'],
  [0.99, 'three'],
])('4.5 a random one of the first three security questions is asked: %d', (random, question) => {
  expect(recoveryQuestion(questions, random)?.question).toBe(question)
})

test('4.5 with fewer questions one of them is drawn, and with none undefined is returned', () => {
  expect(recoveryQuestion(questions.slice(0, 1), 0.99)?.question).toBe('one')
  expect(recoveryQuestion([], 0.5)).toBeUndefined()
})
