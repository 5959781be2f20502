import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { flow } from './flow.ts'
import { useFlow } from './use-flow.ts'

type State = { step: 'loading' } | { step: 'loaded'; text: string } | { step: 'failed' }
type Event =
  | { type: 'loaded'; text: string }
  | { type: 'left' }
  | { type: 'returned' }
  | { type: 'failed' }
type Command = { type: 'load' }

const loading = flow<State, Event, Command, null>({
  name: 'loading',
  begin: () => [{ step: 'loading' }, { type: 'load' }],
  failed: { type: 'failed' },
  on: {
    loading: {
      loaded: (_, { text }) => [{ step: 'loaded', text }],
      left: () => [{ step: 'loaded', text: 'nothing' }],
      failed: () => [{ step: 'failed' }],
    },
    loaded: { returned: () => [{ step: 'loading' }, { type: 'load' }] },
    failed: {},
  },
})

/** A service that the test settles; it has one entry for each time it was called. */
function controlledLoad() {
  const calls: (PromiseWithResolvers<Event> & { signal: AbortSignal })[] = []
  const load = (_: Command, signal: AbortSignal) => {
    const call = { ...Promise.withResolvers<Event>(), signal }
    calls.push(call)
    return call.promise
  }
  return { calls, load }
}

async function showPage({ report = () => undefined }: { report?: (error: unknown) => void } = {}) {
  const { calls, load } = controlledLoad()
  function Page() {
    const [state, send] = useFlow(loading, { input: null, services: { load }, report })
    return (
      <>
        <p role="status">{state.step === 'loaded' ? state.text : state.step}</p>
        <button type="button" onClick={() => send({ type: 'left' })}>
          Leave
        </button>
        <button type="button" onClick={() => send({ type: 'returned' })}>
          Return
        </button>
      </>
    )
  }
  const { unmount } = await render(<Page />)
  await expect.poll(() => calls.length).toBeGreaterThan(0)
  return { calls, unmount }
}

const status = page.getByRole('status')
const press = (name: string) => page.getByRole('button', { name }).click()

test('a flow starts once under the double mount of Strict Mode, and shows the answer', async () => {
  const { calls } = await showPage()
  await expect.element(status).toHaveTextContent('loading')
  expect(calls).toHaveLength(1)
  expect(calls[0]?.signal.aborted).toBe(false)
  calls[0]?.resolve({ type: 'loaded', text: 'One' })
  await expect.element(status).toHaveTextContent('One')
})

test('leaving a step aborts its command, and a late answer is dropped', async () => {
  const { calls } = await showPage()
  await press('Leave')
  await expect.element(status).toHaveTextContent('nothing')
  expect(calls[0]?.signal.aborted).toBe(true)
  await press('Return')
  await expect.element(status).toHaveTextContent('loading')
  calls[0]?.resolve({ type: 'loaded', text: 'Late' })
  calls[1]?.resolve({ type: 'loaded', text: 'Two' })
  await expect.element(status).toHaveTextContent('Two')
})

test('unmounting aborts the command, and a late failure is not reported', async () => {
  const reported: unknown[] = []
  const { calls, unmount } = await showPage({ report: (error) => reported.push(error) })
  await unmount()
  expect(calls[0]?.signal.aborted).toBe(true)
  calls[0]?.reject(new Error('too late'))
  await new Promise((resolve) => setTimeout(resolve))
  expect(reported).toEqual([])
})

test('a service that throws is reported, and the page shows the failed step', async () => {
  const reported: unknown[] = []
  const { calls } = await showPage({ report: (error) => reported.push(error) })
  const defect = new Error('a defect')
  calls[0]?.reject(defect)
  await expect.element(status).toHaveTextContent('failed')
  expect(reported).toEqual([defect])
})
