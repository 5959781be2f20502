import type { Client } from '@portico/client/client'
import { refusal } from '@portico/client/testing'
import { memoryStorage } from '@portico/shell/testing'
import { expect, test } from 'vitest'
import { readActing } from './read-acting.ts'

const claims = Buffer.from(JSON.stringify({ addr: 'tp1own' })).toString('base64url')
const jwt = { read: () => `Bearer e30.${claims}.c2ln` }

test('7.4 a previous user’s stored ownerWallet is dropped, and the user’s own account is read', async () => {
  const storage = memoryStorage({ ownerWallet: 'tp1previous' })
  const own = { account: { name: 'Own', address: 'tp1own' } }
  const queries: unknown[] = []
  const client: Client = async (_, { query }) => {
    queries.push(query)
    if (queries.length === 1) throw refusal('account-not-authorized')
    return own as never // Only the compared part.
  }
  expect(await readActing({ client, jwt, storage })).toEqual(own)
  expect(queries).toEqual([{ principal: 'tp1previous' }, {}])
  expect(storage.read('ownerWallet')).toBeUndefined()
})
