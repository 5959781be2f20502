import { expect, test } from 'vitest'
import { relayUrl } from './relay-url.ts'

test('protocol 3.1: http becomes ws, and the client parameters are added to the query in order', () => {
  expect(relayUrl('https://relay.example', 'dapp.example')).toBe(
    'wss://relay.example/?env=browser&host=dapp.example&protocol=wc&version=1',
  )
  expect(relayUrl('http://127.0.0.1:8080/ws/external', undefined)).toBe(
    'ws://127.0.0.1:8080/ws/external?env=node&protocol=wc&version=1',
  )
})

test('protocol 3.1: existing query parameters are kept', () => {
  expect(relayUrl('wss://relay.example/ws?silenceActive=true', undefined)).toBe(
    'wss://relay.example/ws?silenceActive=true&env=node&protocol=wc&version=1',
  )
})
