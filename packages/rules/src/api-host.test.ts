import { expect, test } from 'vitest'
import { walletApiBase } from './api-host.ts'

test.each([
  ['https://www.lender.example/a', true, 'https://www.lender.example'],
  ['https://lender.example/a', true, 'https://lender.example'],
  ['https://test.lender.example/a', true, 'https://lender.example'],
  ['https://www.lender.example/a', false, 'https://test.lender.example'],
  ['https://lender.example/a', false, 'https://test.lender.example'],
  ['https://test.lender.example:8443/a', false, 'https://test.lender.example:8443'],
  ['http://localhost:8080/a', false, 'http://localhost:8080'],
  ['http://127.0.0.1:8080/a', true, 'http://127.0.0.1:8080'],
  ['http://[::1]:8080/a', false, 'http://[::1]:8080'],
])(
  '7.1 the API base of %s (production: %s) is {host} with www. only if it is there in production, and test. otherwise',
  (current, production, base) => {
    expect(walletApiBase(new URL(current), production)).toBe(base)
  },
)
