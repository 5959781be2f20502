import { readIdentity, redeemToken, sendToken } from '@portico/contracts/identity'
import { expect, test } from 'vitest'
import { ApiError } from './api-error.ts'
import { client } from './client.ts'

const UUID = 'f7d0c1a0-0000-4000-8000-000000000000'

function world(response: () => Response) {
  const sent: { url: string; init: RequestInit }[] = []
  const call = client({
    jwt: {
      read: () => undefined,
      write: () => undefined,
      remove: () => undefined,
      watch: () => () => undefined,
    },
    fetch: (async (url: string, init: RequestInit) => {
      sent.push({ url, init })
      return response()
    }) as typeof fetch, // The helper passes only these two arguments.
  })
  return { call, sent }
}

test('7.2 a declared call is made with its method, path and body', async () => {
  const { call, sent } = world(() => Response.json({ jwt: 'jwt' }))
  const body = { loginUuid: UUID, token: '123456' }
  expect(await call(redeemToken, { body })).toEqual({ jwt: 'jwt' })
  expect(sent[0]).toMatchObject({
    url: '/identity/api/v1/token/redeem',
    init: { method: 'PUT', body: JSON.stringify(body) },
  })
})

test('7.2 the response is parsed, and properties outside the contract are dropped', async () => {
  const { call } = world(() => Response.json({ uuid: UUID, secret: 'x' }))
  expect(await call(sendToken, { body: { email: 'ada@example.com' } })).toEqual({ uuid: UUID })
})

test('7.2 a response that violates its contract is unreadable', async () => {
  const { call } = world(() => Response.json({ identity: 'Ada' }))
  await expect(call(readIdentity, {})).rejects.toSatisfy(
    (error: unknown) => error instanceof ApiError && error.code === 'unreadable',
  )
})
