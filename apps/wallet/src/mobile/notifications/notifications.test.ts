import { subscribePush, unsubscribePush } from '@portico/contracts/push'
import { expect, onTestFinished, test, vi } from 'vitest'
import { fakeMobileEnvironment } from '../testing.ts'
import { notifications } from './notifications.ts'

const ENDPOINT = 'https://push.example/one'
const SUBSCRIPTION = { endpoint: ENDPOINT, keys: { p256dh: 'B'.repeat(87), auth: 'A'.repeat(22) } }

test('2.7 the server gets the topics in order: a later change waits for an earlier one', async () => {
  onTestFinished(() => void vi.unstubAllGlobals())
  const pushManager = {
    getSubscription: async () => ({ endpoint: ENDPOINT, toJSON: () => SUBSCRIPTION }),
  }
  const registration = { active: {}, pushManager }
  const browser = {
    navigator: { serviceWorker: { getRegistration: async () => registration } },
    Notification: { permission: 'granted' },
  }
  vi.stubGlobal('window', browser)
  const arrived: string[] = []
  const answers: (() => void)[] = []
  vi.stubGlobal('fetch', (url: string) => {
    arrived.push(new URL(url, 'https://lender.example').pathname)
    return new Promise<Response>((resolve) =>
      answers.push(() =>
        resolve(new Response('{}', { headers: { 'content-type': 'application/json' } })),
      ),
    )
  })
  const { page } = fakeMobileEnvironment()
  const { renew } = notifications(
    { ...page, offline: true },
    browser as unknown as Window & typeof globalThis, // Only these parts are used.
  )
  const renewals = [renew(['topic']), renew([])]
  await vi.waitFor(() => expect(answers).toHaveLength(1))
  await new Promise((resolve) => setTimeout(resolve, 20))
  expect(arrived).toEqual([subscribePush.path])
  answers[0]?.()
  await vi.waitFor(() => expect(answers).toHaveLength(2))
  answers[1]?.()
  await Promise.all(renewals)
  expect(arrived).toEqual([subscribePush.path, unsubscribePush.path])
})
