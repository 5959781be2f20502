import { refusal } from '@portico/client/testing'
import { useState } from 'react'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { useCall, useLoad } from './use-call.ts'

/** A call that the test settles; `signals` has one entry for each time it was sent. */
function controlledCall() {
  const settle: PromiseWithResolvers<string>[] = []
  const signals: AbortSignal[] = []
  const call = (signal: AbortSignal) => {
    const pending = Promise.withResolvers<string>()
    settle.push(pending)
    signals.push(signal)
    return pending.promise
  }
  return { call, settle, signals }
}

function Form({
  call,
  onReport = () => undefined,
}: {
  call: (signal: AbortSignal) => Promise<string>
  onReport?: (error: unknown) => void
}) {
  const { pending, failure, run, cancel } = useCall(onReport)
  const [result, setResult] = useState('nothing')
  return (
    <>
      <button type="button" onClick={() => run(call, setResult)}>
        Save
      </button>
      <button type="button" onClick={cancel}>
        Cancel
      </button>
      <p role="status">
        {pending ? 'pending' : 'idle'}: {result}
      </p>
      {failure && <p role="alert">{failure.notices}</p>}
    </>
  )
}

const save = page.getByRole('button', { name: 'Save' })
const status = page.getByRole('status')
const alert = page.getByRole('alert')

test('a second press while the call is pending is ignored', async () => {
  const { call, settle, signals } = controlledCall()
  await render(<Form call={call} />)
  await save.click()
  await save.click()
  await expect.element(status).toHaveTextContent('pending: nothing')
  expect(signals).toHaveLength(1)
  settle[0]?.resolve('saved')
  await expect.element(status).toHaveTextContent('idle: saved')
})

test('a rejected call shows its failure until the next call, and is not reported', async () => {
  const { call, settle } = controlledCall()
  const reported: unknown[] = []
  await render(<Form call={call} onReport={(error) => reported.push(error)} />)
  await save.click()
  settle[0]?.reject(refusal('code-wrong'))
  await expect
    .element(alert)
    .toHaveTextContent('The passcode is incorrect. Please check it and try again.')
  await save.click()
  await expect.element(alert).not.toBeInTheDocument()
  settle[1]?.resolve('saved')
  await expect.element(status).toHaveTextContent('idle: saved')
  expect(reported).toEqual([])
})

test('a defect is reported and shown without its details', async () => {
  const { call, settle } = controlledCall()
  const reported: unknown[] = []
  await render(<Form call={call} onReport={(error) => reported.push(error)} />)
  await save.click()
  const defect = new TypeError('secret detail')
  settle[0]?.reject(defect)
  await expect
    .element(alert)
    .toHaveTextContent('Something went wrong on our side. Please try again in a minute.')
  expect(reported).toEqual([defect])
})

test('a canceled call is aborted, and its late result is dropped', async () => {
  const { call, settle, signals } = controlledCall()
  await render(<Form call={call} />)
  await save.click()
  await page.getByRole('button', { name: 'Cancel' }).click()
  expect(signals[0]?.aborted).toBe(true)
  await save.click()
  settle[0]?.resolve('too late')
  settle[1]?.resolve('saved')
  await expect.element(status).toHaveTextContent('idle: saved')
})

test('unmounting aborts the call', async () => {
  const { call, signals } = controlledCall()
  const { unmount } = await render(<Form call={call} />)
  await save.click()
  await unmount()
  expect(signals[0]?.aborted).toBe(true)
})

function Page({ load }: { load: (signal: AbortSignal) => Promise<string> }) {
  const { result, failure, retry, reload } = useLoad(load, () => undefined)
  return failure === undefined ? (
    <>
      <p role="status">{result ?? 'loading'}</p>
      <button type="button" onClick={reload}>
        Reload
      </button>
    </>
  ) : (
    <button type="button" onClick={retry}>
      Try again
    </button>
  )
}

test('a page loads once, and a failed load can be retried', async () => {
  const { call, settle, signals } = controlledCall()
  await render(<Page load={call} />)
  await expect.element(status).toHaveTextContent('loading')
  await expect.poll(() => signals.length).toBe(1)
  settle[0]?.reject(refusal('server-fault'))
  await page.getByRole('button', { name: 'Try again' }).click()
  settle[1]?.resolve('loaded')
  await expect.element(status).toHaveTextContent('loaded')
  expect(signals).toHaveLength(2)
})

test('a reload replaces a pending load and drops its late result', async () => {
  const { call, settle, signals } = controlledCall()
  await render(<Page load={call} />)
  await expect.poll(() => signals.length).toBe(1)
  await page.getByRole('button', { name: 'Reload' }).click()
  expect(signals.map(({ aborted }) => aborted)).toEqual([true, false])
  settle[1]?.resolve('new')
  await expect.element(status).toHaveTextContent('new')
  settle[0]?.resolve('old')
  await Promise.resolve()
  await expect.element(status).toHaveTextContent('new')
})
