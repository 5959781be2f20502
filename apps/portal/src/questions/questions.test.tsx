import { fakeClient, refusal } from '@portico/client/testing'
import { after, chance, walk } from '@portico/flow/testing'
import { lasting, seen } from '@portico/shell/testing'
import { expect, test } from 'vitest'
import { questions } from './questions.flow.ts'
import { events, inputs } from './questions.samples.ts'
import { questionsServices } from './questions.services.ts'
import { QuestionsView } from './questions.view.tsx'

const catalogue = [{ uuid: 'pet', question: 'What was the name of your first pet?' }]
const answers = [{ question: 'pet', answer: 'Rex' }]
const given = { type: 'answersSubmitted', answers } as const
const read = { type: 'catalogueRead', catalogue } as const

test('answers are saved once, and the dialog returns the result', () => {
  expect(after(questions, null, [read, given])[1]).toEqual({ type: 'save', answers })
  expect(after(questions, null, [read, given, given])).toHaveLength(1)
  expect(after(questions, null, [read, given, { type: 'saved' }])[1]).toEqual({
    type: 'returnResult',
    result: 'changed',
  })
})

test('7.2 the services make their calls and handle rejections', async () => {
  const { client, asked } = fakeClient({
    readQuestionCatalogue: catalogue,
    setQuestions: refusal('questions-unsuitable'),
  })
  const services = questionsServices({ client, onResult: () => undefined })
  expect(await services.readCatalogue({ type: 'readCatalogue' }, lasting)).toEqual(read)
  expect(await services.save({ type: 'save', answers }, lasting)).toMatchObject({
    failure: { reason: 'questions-unsuitable' },
  })
  expect(asked[1]?.body).toEqual({ answers: [{ securityQuestionUuid: 'pet', answer: 'Rex' }] })
})

test('three questions are selected from the list, and the text says that answers are not shown again', () => {
  const { html, text } = seen(
    <QuestionsView
      state={{ step: 'choosing', catalogue, busy: false }}
      send={() => undefined}
      supportPhone="8005550142"
    />,
  )
  expect(html.match(/<select/g)).toHaveLength(3)
  expect(text).toContain('are never shown again')
})

test('random walk: the result is returned exactly once', () => {
  walk(
    questions,
    { inputs, events },
    {
      steps: 2000,
      chance: chance(),
      invariant(state, commands, before) {
        const handedBack = commands.filter(({ type }) => type === 'returnResult')
        expect(handedBack).toHaveLength(state.step === 'left' && before.step !== 'left' ? 1 : 0)
      },
    },
  )
})
