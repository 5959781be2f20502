import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../../../tests/support/temporary-folder.ts'
import { loadWebhooks } from './load-webhooks.ts'

const ENDPOINT = {
  id: 'loan-desk',
  organization: 'HARBORLINE',
  url: 'https://desk.harborline.example/webhooks',
  secrets: ['WEBHOOK_SECRET_DESK'],
  contact: 'engineers@harborline.example',
}

/** The errors of endpoint files with these contents, in production. */
function errorsOf(...files: readonly object[]): readonly string[] {
  using folder = temporaryFolder()
  mkdirSync(join(folder.path, 'webhooks'))
  files.forEach((file, index) => {
    writeFileSync(join(folder.path, 'webhooks', `${index}.json`), JSON.stringify(file))
  })
  const errors: string[] = []
  const config = {
    configDir: folder.path,
    production: true,
    webhookHosts: 'public',
    webhookSecrets: new Map([['WEBHOOK_SECRET_DESK', 'whsec_x']]),
  } as const
  loadWebhooks(config, new Set(['HARBORLINE']), errors)
  return errors
}

test('a valid endpoint has no errors', () => {
  expect(errorsOf(ENDPOINT)).toEqual([])
})

test.each<readonly [object, string]>([
  [{ organization: 'NO_ONE' }, 'no organization has this code'],
  [{ secrets: ['WEBHOOK_SECRET_OTHER'] }, 'WEBHOOK_SECRET_OTHER, which is not set'],
  [{ secrets: ['PATH'] }, 'must be a variable such as'],
  [{ events: ['account.invented'] }, 'must be a type of docs/webhooks.md'],
  ...[
    'http://desk.harborline.example/webhooks',
    'https://desk.harborline.example:8443/webhooks',
    'https://user:secret@desk.harborline.example/webhooks',
    'https://127.0.0.1/webhooks',
    'https://2130706433/webhooks',
    'https://0x7f.1/webhooks',
    'https://[::ffff:169.254.169.254]/latest',
    'https://[64:ff9b::7f00:1]/webhooks',
  ].map((url) => [{ url }, 'url must be an https URL of a public host'] as const),
])(
  'an error in the file of an endpoint stops the start and says how to fix it: %j',
  (change, error) => {
    const [first, ...others] = errorsOf({ ...ENDPOINT, ...change })
    expect(first).toContain(error)
    expect(others).toEqual([])
  },
)

test('endpoint IDs are unique', () => {
  expect(errorsOf(ENDPOINT, ENDPOINT)).toEqual([
    expect.stringContaining('id loan-desk is already used by'),
  ])
})
