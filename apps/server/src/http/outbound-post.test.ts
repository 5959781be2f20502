import dns, { type LookupAddress } from 'node:dns'
import { syncBuiltinESMExports } from 'node:module'
import { afterEach, expect, test } from 'vitest'
import { outboundUrl, postOutbound } from './outbound-post.ts'

const { lookup } = dns

afterEach(() => {
  Object.assign(dns, { lookup })
  syncBuiltinESMExports()
})

/** Replaces name resolution, without reaching the network: each lookup gets the next addresses. Returns the number of lookups. */
function resolving(...answers: readonly (readonly string[])[]): () => number {
  let lookups = 0
  const answer = (
    _name: string,
    _options: object,
    callback: (error: null, addresses: LookupAddress[]) => void,
  ) => {
    const addresses = answers[lookups] ?? []
    lookups += 1
    callback(
      null,
      addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    )
  }
  Object.assign(dns, { lookup: answer })
  syncBuiltinESMExports()
  return () => lookups
}

function post(url: URL) {
  const signal = AbortSignal.timeout(500)
  return postOutbound(url, { hosts: 'public', headers: {}, body: '{}', signal })
}

const url = () => {
  const allowed = outboundUrl('https://receiver.example/webhooks', 'public')
  if (allowed === undefined) throw new Error('The URL is not allowed')
  return allowed
}

test.each([
  ['127.0.0.1'],
  ['10.0.0.7'],
  ['169.254.169.254'],
  ['::1'],
  ['fe80::1'],
  ['::ffff:127.0.0.1'],
  ['::ffff:8.8.8.8'],
])('protocol 3.5: a name that resolves to %s is not connected to (SSRF)', async (address) => {
  const lookups = resolving([address])
  expect(await post(url())).toBeUndefined()
  expect(lookups()).toBe(1)
})

test('protocol 3.5: one private address among public ones is enough to refuse', async () => {
  resolving(['2000::1', '127.0.0.1'])
  expect(await post(url())).toBeUndefined()
})

test('protocol 3.5: the connection uses the checked address, so a changed DNS answer has no effect (DNS rebinding)', async () => {
  const lookups = resolving(['2000::1'], ['127.0.0.1'])
  await post(url())
  expect(lookups()).toBe(1)
})
